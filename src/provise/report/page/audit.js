"use strict";
(() => {
  // The sheet's own lines, with what was chosen on the page, as the CSV that `provise report --audit-labels` reads.
  const rows = JSON.parse(document.getElementById("data").textContent);
  const quoted = (text) => (/[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
  function update() {
    let left = 0;
    const lines = rows.map((row, i) => {
      if (i === 0) return row;
      const chosen = document.querySelector('input[name="j-' + i + '"]:checked');
      if (!chosen) left += 1;
      return [...row.slice(0, 5), chosen ? chosen.value : "", document.querySelector('input[name="n-' + i + '"]').value];
    });
    document.getElementById("left").textContent = left + " not judged";
    const text = lines.map((line) => line.map(quoted).join(",")).join("\n") + "\n";
    document.getElementById("save").href = "data:text/csv;charset=utf-8," + encodeURIComponent(text);
  }
  document.addEventListener("input", update);
  update();
})();
