"use strict";
(() => {
  // Texts come from runs and benchmarks, so from strangers: they are only ever set as text, never as markup.
  const PAGE = 48;
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  // One record a row, in words: [sample, system, outcome, reason, message, prediction, score, answer, evidence, words, file, reader]
  const rows = data.rows.map((r) => {
    const [id, task, question, choices, truth, inputs, shapes, protocol] = data.samples[r[0]];
    const text = (n) => data.texts[n];
    return {
      sample: r[0], system: r[1], outcome: r[2], reason: text(r[3]), message: text(r[4]), prediction: text(r[5]), score: r[6],
      answer: r[7], evidence: r[8], words: text(r[9]), file: r[10], reader: text(r[11]),
      id, task, question, choices, truth, inputs, shapes, protocol: text(protocol),
    };
  });
  const bySample = data.samples.map(() => []);
  rows.forEach((row) => bySample[row.sample].push(row));
  const many = data.systems.length > 1;

  // ---- pictures: a block of them is parsed when one of it is first wanted
  const blocks = new Map();
  function source(n) {
    const at = Math.floor(n / data.block);
    if (!blocks.has(at)) blocks.set(at, JSON.parse($("pictures-" + at).textContent));
    return "data:image/jpeg;base64," + blocks.get(at)[n % data.block];
  }

  function make(tag, className, text) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function picture(n, caption, alt, missing) {
    const box = make("span", "pic");
    const frame = make("span", "frame");
    if (n >= 0) {
      const image = make("img");
      image.alt = alt;
      image.decoding = "async";
      image.src = source(n);
      frame.append(image);
    } else {
      frame.append(make("span", missing.words ? "words" : "", missing.words || missing.none));
    }
    box.append(frame, make("span", "cap", caption));
    return box;
  }

  const input = (row, n) => picture(n === undefined ? -1 : n, "input", "input of " + row.id, { none: "not at hand" });
  const answer = (row) => picture(row.answer, "answer", "answer to " + row.id, { words: row.words, none: "not kept" });
  const seen = (row, caption) => picture(row.evidence, caption, "reading of " + row.id, { none: row.reader === "text" ? "read from words" : "no picture" });

  function badge(row) {
    const [key, word, sign] = data.outcomes[row.outcome];
    return make("span", "badge b-" + key, sign + " " + word);
  }

  function fact(name, value, className) {
    const line = make("p", className || "fact");
    line.append(make("b", "", name + " "), value);
    return line;
  }

  // ---- filters
  const filters = { system: $("f-system"), task: $("f-task"), outcome: $("f-outcome"), reason: $("f-reason"), agree: $("f-agree") };
  const AGREE = ["all solved it", "some solved it", "none solved it"];
  const solved = bySample.map((group) => group.filter((row) => data.outcomes[row.outcome][0] === "correct").length);
  const agreement = (row) => {
    const n = solved[row.sample];
    return n === 0 ? 2 : n === bySample[row.sample].length ? 0 : 1;
  };
  const values = {
    system: (row) => String(row.system), task: (row) => String(row.task), outcome: (row) => String(row.outcome),
    reason: (row) => row.reason, agree: (row) => String(agreement(row)),
  };

  function fill(select, options) {
    const first = make("option", "", "all");
    first.value = "*";
    select.replaceChildren(first, ...options.map(([value, text]) => {
      const option = make("option", "", text);
      option.value = value;
      return option;
    }));
  }

  function count(of) {
    const found = new Map();
    rows.forEach((row) => found.set(of(row), (found.get(of(row)) || 0) + 1));
    return found;
  }

  if (many) {
    fill(filters.system, data.systems.map(([name], i) => [String(i), name]));
    fill(filters.agree, AGREE.map((text, i) => [String(i), text]));
  }
  fill(filters.task, data.tasks.map((name, i) => [String(i), name]));
  const outcomes = count(values.outcome);
  fill(filters.outcome, data.outcomes.map(([, word, sign], i) => [String(i), sign + " " + word + " (" + (outcomes.get(String(i)) || 0) + ")"])
    .filter(([i]) => outcomes.has(i)));
  fill(filters.reason, [...count(values.reason)].filter(([name]) => name).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name, n]) => [name, name.replaceAll("_", " ") + " (" + n + ")"]));

  let found = rows;
  let page = 0;

  function apply() {
    const wanted = Object.entries(filters).filter(([, select]) => select && select.value !== "*");
    const words = $("f-search").value.trim().toLowerCase();
    found = rows.filter((row) => wanted.every(([key, select]) => values[key](row) === select.value)
      && (!words || (row.id + "\n" + row.question + "\n" + row.message + "\n" + row.prediction).toLowerCase().includes(words)));
    page = 0;
    show();
  }

  function show() {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(page, pages - 1);
    const start = page * PAGE;
    const shown = found.slice(start, start + PAGE);
    $("found").textContent = found.length === rows.length ? rows.length + " answers" : found.length + " of " + rows.length + " answers";
    $("cards").replaceChildren(...shown.map((row, i) => card(row, start + i)));
    $("where").textContent = "page " + (page + 1) + " of " + pages;
    $("back").disabled = page === 0;
    $("on").disabled = page >= pages - 1;
    document.querySelector(".pager").hidden = pages === 1;
  }

  function card(row, at) {
    const item = make("li");
    const button = make("button", "card");
    button.type = "button";
    const pics = make("span", "pics");
    pics.append(input(row, row.inputs[0]), answer(row), seen(row, "reading"));
    const line = make("span", "line");
    line.append(make("span", "id", row.id), badge(row));
    button.append(pics, line);
    const small = (...parts) => {
      const text = make("span", "small");
      text.append(...parts);
      button.append(text);
    };
    small(data.tasks[row.task] + (many ? " · " + data.systems[row.system][0] : ""));
    small(make("b", "", "read "), row.prediction || "nothing", " · ", make("b", "", "truth "), row.truth || "–");
    if (row.reason) small(make("b", "", row.reason.replaceAll("_", " ")), row.message && row.message !== row.reason ? ": " + row.message : "");
    button.addEventListener("click", () => open(at));
    item.append(button);
    return item;
  }

  // ---- one answer, large
  const dialog = $("detail");
  let current = -1;

  function open(at) {
    current = at;
    render(found[at]);
    $("d-back").disabled = at <= 0;
    $("d-on").disabled = at >= found.length - 1;
    $("d-where").textContent = at + 1 + " of " + found.length;
    if (!dialog.open) dialog.showModal();
  }

  function render(row) {
    $("d-title").textContent = row.id;
    const [name, notes] = data.systems[row.system];
    const body = $("d-body");
    const top = make("p", "fact");
    top.append(badge(row), "  " + data.tasks[row.task] + " · " + name);
    notes.forEach((note) => top.append(" ", make("span", "tag", note)));
    const parts = [top];
    if (row.question) parts.push(make("p", "fact question", row.question));
    if (row.choices.length) parts.push(make("p", "fact", row.choices.map((choice, i) => String.fromCharCode(65 + i) + ". " + choice).join("\n")));
    const pics = make("div", "pics");
    const shown = row.inputs.length ? row.inputs : [undefined];
    shown.forEach((n, i) => pics.append(marked(input(row, n), i === 0 ? row.shapes : [])));
    pics.append(answer(row), seen(row, "what the reader saw"));
    parts.push(pics, fact("read:", row.prediction || "nothing"), fact("truth:", row.truth || "–"));
    parts.push(fact("score:", row.score === null ? "none" : String(row.score)));
    if (row.reason) parts.push(fact("reason:", row.reason.replaceAll("_", " ")));
    if (row.message) parts.push(fact("message:", row.message));
    parts.push(fact("protocol:", row.protocol + (row.reader ? ", read by " + row.reader : "")));
    if (row.file) {
      const link = make("a", "", "reading in full size");
      link.href = row.file;
      link.target = "_blank";
      link.rel = "noopener";
      const line = make("p", "fact");
      line.append(link);
      parts.push(line);
    }
    if (many && bySample[row.sample].length > 1) parts.push(others(row));
    body.replaceChildren(...parts);
    body.scrollTop = 0;
  }

  // The truth that has a place is drawn over the input, dashed.
  function marked(box, shapes) {
    if (!shapes.length || !box.querySelector("img")) return box;
    const space = "http:" + "//www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 1 1");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    shapes.forEach(([kind, points]) => ["truth", "truth over"].forEach((style) => {
      const shape = document.createElementNS(space, kind === "line" ? "polyline" : "polygon");
      shape.setAttribute("class", style);
      shape.setAttribute("points", points.map((p) => p.join(",")).join(" "));
      svg.append(shape);
    }));
    box.querySelector(".frame").append(svg);
    box.querySelector(".cap").textContent = "input, truth dashed";
    return box;
  }

  function others(row) {
    const box = make("div");
    box.append(make("p", "fact soft", "The same question, answered by:"));
    const list = make("div", "others");
    bySample[row.sample].forEach((other) => {
      const button = make("button", "", data.outcomes[other.outcome][2] + " " + data.systems[other.system][0]);
      button.type = "button";
      if (other === row) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => {
        render(other);
        const at = found.indexOf(other);
        if (at >= 0) open(at);
        dialog.querySelector('.others button[aria-current="true"]').focus();
      });
      list.append(button);
    });
    box.append(list);
    return box;
  }

  // ---- wiring
  $("filters").hidden = false;
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  Object.values(filters).forEach((select) => select && select.addEventListener("change", apply));
  let waiting = 0;
  $("f-search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  function clear() {
    Object.values(filters).forEach((select) => { if (select) select.value = "*"; });
    $("f-search").value = "";
  }
  $("f-clear").addEventListener("click", () => { clear(); apply(); });
  const turn = (by) => {
    page += by;
    show();
    $("gallery").scrollIntoView();
  };
  $("back").addEventListener("click", () => turn(-1));
  $("on").addEventListener("click", () => turn(1));
  $("d-close").addEventListener("click", () => dialog.close());
  $("d-back").addEventListener("click", () => open(current - 1));
  $("d-on").addEventListener("click", () => open(current + 1));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft" && current > 0) open(current - 1);
    if (event.key === "ArrowRight" && current < found.length - 1) open(current + 1);
  });
  document.querySelectorAll("a[data-task]").forEach((link) => link.addEventListener("click", () => {
    clear();
    if (filters.system) filters.system.value = link.dataset.system;
    filters.task.value = link.dataset.task;
    apply();
  }));

  // The numbers are painted first; the gallery fills when its turn comes.
  requestAnimationFrame(() => setTimeout(show, 0));
})();
