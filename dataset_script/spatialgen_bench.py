"""SpatialGen-Bench, drawn scenes as a builder class of `datasets`.

Nobody needs this file: `load_dataset` reads the tables beside it by itself. It is for those who want the class. With
`datasets` 3.6, `load_dataset(".../spatialgen_bench.py", "counting", trust_remote_code=True)`; later versions run no scripts,
and the class is used directly: `SpatialGenBench(config_name="counting", data_dir="...")`.

Never give it the name of its folder or of its repository: versions from 4.0 on would then refuse to load either.
"""

import posixpath

import datasets
import pyarrow.parquet as pq

FILES = {
    "counting": ["data/counting/test-00000-of-00001.parquet"],
    "depth": ["data/depth/test-00000-of-00001.parquet"],
    "orientation": ["data/orientation/test-00000-of-00001.parquet"],
    "size": ["data/size/test-00000-of-00001.parquet"],
    "relationship": ["data/relationship/test-00000-of-00001.parquet"],
    "perspective": ["data/perspective/test-00000-of-00001.parquet"],
    "mental_modeling": ["data/mental_modeling/test-00000-of-00001.parquet"],
    "grounding": ["data/grounding/test-00000-of-00001.parquet"],
    "multihop": ["data/multihop/test-00000-of-00001.parquet"],
    "prediction": ["data/prediction/test-00000-of-00001.parquet"],
    "feasibility": ["data/feasibility/test-00000-of-00001.parquet"],
    "affordance": ["data/affordance/test-00000-of-00001.parquet"],
    "navigation": ["data/navigation/test-00000-of-00001.parquet"],
    "trajectory": ["data/trajectory/test-00000-of-00001.parquet"],
}

LISTS = ("media_paths", "choices")

FIELDS = (
    "id",
    "capability",
    "task",
    "image_path",
    "media_paths",
    "mask_path",
    "question",
    "answer",
    "answer_type",
    "choices",
    "source",
    "source_id",
    "metadata_json",
)

COLUMNS = [*FIELDS, "media", "mask"]


class SpatialGenBench(datasets.GeneratorBasedBuilder):
    """One config a task, and `all`; one split, `test`."""

    BUILDER_CONFIGS = [datasets.BuilderConfig(name=name) for name in ("all", *FILES)]  # noqa: RUF012
    DEFAULT_CONFIG_NAME = "all"

    def _info(self):
        text = datasets.Value("string")
        fields = {name: datasets.Sequence(text) if name in LISTS else text for name in FIELDS}
        media = {"media": datasets.Sequence(datasets.Image()), "mask": datasets.Image()}
        return datasets.DatasetInfo(features=datasets.Features({**fields, **media}))

    def _split_generators(self, dl_manager):
        chosen = FILES.values() if self.config.name == "all" else [FILES[self.config.name]]
        names = [name for files in chosen for name in files]
        root = self.config.data_dir
        places = dl_manager.download([posixpath.join(root, name) if root else name for name in names])
        return [datasets.SplitGenerator(name=datasets.Split.TEST, gen_kwargs={"places": places})]

    def _generate_examples(self, places):
        number = 0
        for place in places:
            with open(place, "rb") as file:
                for batch in pq.ParquetFile(file).iter_batches(batch_size=16, columns=COLUMNS):
                    for row in batch.to_pylist():
                        yield number, row
                        number += 1
