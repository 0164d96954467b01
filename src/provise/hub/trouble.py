"""What went wrong between here and the Hub, in words: what, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from provise.errors import InputError

__all__ = ["HubError", "UnreachableError", "explained"]

NO_NAME = (
    "give its NAMESPACE/NAME as the Hub writes it; a private one also needs a token that may read it "
    "(`hf auth login`, or HF_TOKEN)"
)


class HubError(InputError):
    """The Hub answered, and not with what was asked for."""


class UnreachableError(HubError):
    """The Hub gave no answer, or none that can stand: offline, cut, over its limits or broken; trying later may help."""


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Turn the errors of `huggingface_hub` inside the block into one sentence.

    Parameters
    ----------
    what : str
        What was being done, and with what: ``"hf:provise/x: reading it"``.

    Raises
    ------
    UnreachableError
        If it may work later.
    HubError
        If it will not.
    """
    from huggingface_hub import errors

    try:
        yield
    except HubError:
        raise
    except errors.OfflineModeIsEnabled as error:
        raise UnreachableError(f"{what}: HF_HUB_OFFLINE is set; unset it to reach the Hub") from error
    except errors.LocalTokenNotFoundError as error:
        raise HubError(f"{what}: no token; log in with `hf auth login`, or set HF_TOKEN") from error
    except errors.GatedRepoError as error:
        raise HubError(
            f"{what}: access is given on request; ask for it on the repository's page, then log in"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise HubError(f"{what}: it has no such revision; name a branch, a tag or a commit of it") from error
    except errors.RepositoryNotFoundError as error:
        raise HubError(f"{what}: there is no such repository, or it is private; {NO_NAME}") from error
    except errors.EntryNotFoundError as error:
        if isinstance(error, errors.LocalEntryNotFoundError):
            raise _beneath(what, error) from error
        raise HubError(f"{what}: a file that it lists is not there ({_first(error)})") from error
    except errors.HfHubHTTPError as error:
        raise _answered(what, error) from error
    except errors.HFValidationError as error:
        raise HubError(f"{what}: {_first(error)}") from error
    except RuntimeError as error:  # an upload in a thread of its own wraps what went wrong there
        if not isinstance(error.__cause__, OSError):
            raise
        raise _beneath(what, error) from error
    except _transport() as error:
        # A file of one's own that cannot be read or written is told by the command line, with its path.
        if isinstance(error, OSError) and error.filename is not None and not isinstance(error, ConnectionError):
            raise
        raise UnreachableError(f"{what}: the connection failed ({_first(error)}); try again") from error


def _transport() -> tuple[type[Exception], ...]:
    """Return the errors of the system and of the libraries that carry the requests, by version of `huggingface_hub`."""
    from importlib import import_module
    from importlib.util import find_spec

    return (OSError, *(import_module(name).HTTPError for name in ("httpx2", "httpx") if find_spec(name)))


def _beneath(what: str, error: BaseException) -> HubError:
    """Say what made `huggingface_hub` look for a file in its cache, where it then was not."""
    cause = error.__cause__
    if getattr(cause, "response", None) is not None and isinstance(cause, Exception):
        return _answered(what, cause)
    return UnreachableError(f"{what}: the Hub cannot be reached ({_first(cause or error)})")


def _answered(what: str, error: Exception) -> HubError:
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", 0)
    if status == 401:
        return HubError(f"{what}: 401, the token is missing or not valid; log in with `hf auth login`, or set HF_TOKEN")
    if status == 403:
        return HubError(
            f"{what}: 403, the token may not do that here; use one that has access, and to push one that may write"
        )
    if status == 404:
        return HubError(f"{what}: 404, there is no such repository or file; {NO_NAME}")
    if status == 429:
        wait = response.headers.get("Retry-After") if response is not None else None
        when = f"in {wait} seconds" if wait else "in a few minutes"
        return UnreachableError(f"{what}: 429, too many requests; try again {when}, or log in, which raises the limit")
    if status >= 500:
        return UnreachableError(f"{what}: the Hub failed with {status}; try again later")
    return HubError(f"{what}: {_first(error)}")


def _first(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:300]
