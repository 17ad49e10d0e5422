"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const find = (id) => document.getElementById(id);
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  // Theme: what the system says, until someone says otherwise.
  const themes = ["auto", "light", "dark"];
  const remembered = () => { try { return localStorage.getItem("pyrite-theme"); } catch { return null; } };
  const setTheme = (theme) => {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    find("theme").textContent = `Theme: ${theme}`;
    try { localStorage.setItem("pyrite-theme", theme); } catch { /* a page from a file may have no storage */ }
  };
  let theme = themes.includes(remembered()) ? remembered() : "auto";
  setTheme(theme);
  find("theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(theme);
  });

  // Tables: a click on a heading sorts, and a table of many rows can be filtered.
  const FILTERED = 6;
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    if (!cell.classList.contains("number")) return cell.textContent;
    return Number("value" in cell.dataset ? cell.dataset.value : cell.firstChild.data.replace(/[,%]/g, ""));
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b));
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const button = make("button", { type: "button" });
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        // Numbers are looked at from the greatest, words from the first.
        const first = heading.classList.contains("number") ? "descending" : "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        const order = heading.getAttribute("aria-sort") === first ? other : first;
        headings.forEach((one) => one.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const rows = [...body.rows];
        rows.sort((a, b) => sign * compare(valueOf(a, column), valueOf(b, column)));
        body.append(...rows);
      });
    });
    if (body.rows.length >= FILTERED) {
      const input = make("input", { type: "search", placeholder: "Filter rows" });
      const count = make("span", { class: "quiet", role: "status" });
      const total = body.rows.length;
      input.addEventListener("input", () => {
        const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const row of body.rows) {
          // Among the names: a digit is in every number.
          const text = [...row.querySelectorAll("th, td.words")].map((cell) => cell.textContent).join(" ").toLowerCase();
          row.hidden = !words.every((word) => text.includes(word));
          shown += row.hidden ? 0 : 1;
        }
        count.textContent = words.length ? `${shown} of ${total} rows` : "";
      });
      const label = make("label", {}, "Filter ", input);
      table.parentElement.before(make("div", { class: "tools" }, label, count));
    }
  }

  // Charts. Colours are the page's variables, so that a change of theme draws nothing anew.
  const data = JSON.parse(find("data").textContent);
  const { Plot, d3 } = window;
  const state = { measure: data.boards.length ? data.boards[0].measure : null, set: 0, hidden: new Set() };
  const COLOURS = 10;
  const colour = (system) => `var(--c${system % COLOURS})`;
  const dash = (system) => (system < COLOURS ? null : system < 2 * COLOURS ? "6 3" : "2 3");
  // What stands apart comes after all that is ranked, hollow and by another name.
  const apart = new Set(data.apart);
  const name = (system) => data.systems[system];
  const marked = (system) => (apart.has(system) ? `${name(system)} (not ranked)` : name(system));
  const ranked = (rows) => rows.slice().sort((a, b) => apart.has(a[0]) - apart.has(b[0]) || b[1] - a[1] || a[0] - b[0]);
  const number = d3.format(".4f");
  const count = d3.format(",");
  const shown = (rows) => rows.filter((row) => !state.hidden.has(row[0]));
  const held = (set, part) => (set[part] && set[part][state.measure]) || [];
  const measures = data.boards.map((board) => board.measure);

  const width = (id) => Math.max(260, find(id).clientWidth);
  const plot = (options) => Plot.plot({ style: { background: "none", color: "var(--ink)", fontSize: "12px" }, ...options });
  const put = (id, chart, label, ...more) => {
    const svg = chart.tagName === "svg" ? chart : chart.querySelector("svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${label} The table below has the numbers.`);
    find(id).replaceChildren(chart, ...more);
  };
  const nothing = (id, text) => find(id).replaceChildren(make("p", { class: "quiet" }, text));

  // A name of a system is cut where it would run out of the chart; the tables have it whole.
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  const long = (text) => ruler.measureText(text).width;
  const longest = (texts) => d3.max(texts, long) || 0;
  const fitted = (text, room) => {
    if (long(text) <= room) return text;
    const characters = [...text];
    while (characters.length > 3 && long(`${characters.join("")}…`) > room) characters.pop();
    return `${characters.join("")}…`;
  };

  const swatch = (system) => {
    const svg = d3.create("svg").attr("width", 22).attr("height", 10).attr("aria-hidden", "true");
    svg.append("line").attr("x1", 0).attr("x2", 22).attr("y1", 5).attr("y2", 5).attr("stroke-width", 3)
      .attr("stroke", colour(system)).attr("stroke-dasharray", dash(system));
    return svg.node();
  };
  const legend = (systems) => {
    const field = make("fieldset", { class: "legend", "aria-label": "Systems shown" });
    for (const system of systems) {
      const box = make("input", { type: "checkbox" });
      box.checked = !state.hidden.has(system);
      box.addEventListener("change", () => {
        if (box.checked) state.hidden.delete(system); else state.hidden.add(system);
        draw();
      });
      field.append(make("label", {}, box, swatch(system), make("bdi", {}, name(system))));
    }
    return field;
  };

  const intervals = () => {
    const set = data.sets[state.set];
    const rows = ranked(held(set, "means"));
    if (!rows.length) return nothing("intervals", "Not measured on this set.");
    const letters = [...new Set(rows.flatMap((row) => row[4].match(/[a-z]\d*/g) || []))].sort(collator.compare);
    const full = width("intervals");
    const right = 18 + 12 * letters.length;
    const [low, high] = d3.extent(rows.flatMap((row) => [row[2], row[3]]));
    const pad = Math.max(0.01, (high - low) * 0.06);
    const chart = plot({
      width: full, height: 44 * rows.length + 44, marginLeft: 22, marginRight: right, marginTop: 10, marginBottom: 34,
      x: { domain: [Math.max(0, low - pad), Math.min(1, high + pad)], grid: true, label: state.measure, ticks: full < 500 ? 5 : 9 },
      y: { type: "band", domain: rows.map((row) => row[0]), axis: null, padding: 0 },
      marks: [
        Plot.text(rows, {
          y: (row) => row[0], frameAnchor: "left", textAnchor: "start", dx: -14, dy: -8, fill: "var(--ink)",
          text: (row) => fitted(`${number(row[1])}  ${marked(row[0])}`, full - right - 12),
        }),
        Plot.ruleY(rows, { y: (row) => row[0], x1: (row) => row[2], x2: (row) => row[3], dy: 9, stroke: (row) => colour(row[0]), strokeWidth: 3 }),
        Plot.dot(rows, {
          y: (row) => row[0], x: (row) => row[1], dy: 9, r: 5, tip: true,
          fill: (row) => (apart.has(row[0]) ? "var(--surface)" : colour(row[0])), stroke: (row) => (apart.has(row[0]) ? colour(row[0]) : "var(--surface)"),
          title: (row) => `${marked(row[0])}\n${state.measure} ${number(row[1])}\n95%: ${number(row[2])} to ${number(row[3])}${row[4] ? `\ngroup ${row[4]}` : ""}`,
        }),
      ],
      color: { type: "identity" },
    });
    // One vertical line a group, with a knot at each member.
    const svg = d3.select(chart.tagName === "svg" ? chart : chart.querySelector("svg"));
    const y = chart.scale("y");
    letters.forEach((letter, place) => {
      const at = rows.filter((row) => (row[4].match(/[a-z]\d*/g) || []).includes(letter)).map((row) => y.apply(row[0]) + y.bandwidth / 2);
      const x = full - right + 14 + 12 * place;
      const group = svg.append("g").attr("stroke", "var(--muted)").attr("fill", "var(--muted)");
      group.append("title").text(`Group ${letter}`);
      if (at.length > 1) group.append("line").attr("x1", x).attr("x2", x).attr("y1", d3.min(at)).attr("y2", d3.max(at)).attr("stroke-width", 2);
      group.selectAll("circle").data(at).join("circle").attr("cx", x).attr("cy", (one) => one).attr("r", 3.5);
    });
    put("intervals", chart, `${state.measure} of ${rows.length} systems on ${set.name}, with intervals.`);
  };

  const heat = () => {
    if (!find("heat")) return;
    const board = data.boards.find((one) => one.measure === state.measure);
    const means = new Map(board.means);
    const systems = [...board.order, ...data.apart];
    const cells = data.sets.flatMap((set, place) => held(set, "means").map((row) => ({ at: `s${place}`, system: row[0], value: row[1], row, of: set.name })));
    const averages = systems.filter((system) => means.has(system)).map((system) => ({ at: "mean", system, value: means.get(system), of: "mean of all sets" }));
    const labels = new Map([["mean", "mean"], ...data.sets.map((set, place) => [`s${place}`, set.language && set.language !== set.name ? `${set.name} (${set.language})` : set.name])]);
    const left = Math.min(150, 14 + longest([...labels.values()]));
    const room = width("heat") - left - 8;
    const size = Math.min(150, Math.max(38, room / systems.length));
    const fits = longest(systems.map(marked)) < size;
    const [low, high] = d3.extent(cells, (cell) => cell.value);
    const strength = (value) => 0.08 + 0.92 * (high > low ? (value - low) / (high - low) : 1);
    const full = left + 8 + size * systems.length;
    const common = { y: "at", x: "system" };
    const chart = plot({
      width: full, height: 24 * labels.size + 40, marginLeft: left, marginRight: 8, marginTop: 32, marginBottom: 4,
      x: { domain: systems, axis: "top", label: null, tickSize: 0, tickFormat: (system) => (fits ? marked(system) : `${systems.indexOf(system) + 1}`), padding: 0.04 },
      y: { domain: [...labels.keys()], label: null, tickSize: 0, tickFormat: (at) => fitted(labels.get(at), left - 12), padding: 0.06 },
      marks: [
        Plot.cell([...averages, ...cells], {
          ...common, fill: "var(--heat)", fillOpacity: (cell) => strength(cell.value), tip: true,
          title: (cell) => `${marked(cell.system)}\n${cell.of}: ${state.measure} ${number(cell.value)}${cell.row ? `\n95%: ${number(cell.row[2])} to ${number(cell.row[3])}` : ""}`,
        }),
        Plot.text([...averages, ...cells], {
          ...common, fill: "var(--ink)", pointerEvents: "none", fontWeight: (cell) => (cell.at === "mean" ? 700 : 400),
          text: (cell) => (cell.value >= 0.9995 ? "1.00" : d3.format(".3f")(cell.value).replace(/^0/, "")),
        }),
      ],
      opacity: { type: "identity" },
    });
    const svg = chart.tagName === "svg" ? chart : chart.querySelector("svg");
    svg.style.maxWidth = "none";
    const key = fits ? [] : [make("ol", { class: "quiet" }, ...systems.map((system) => make("li", {}, make("bdi", {}, marked(system)))))];
    put("heat", chart, `${state.measure} of ${systems.length} systems on ${data.sets.length} sets.`, ...key);
  };

  const curve = (id, x, label) => {
    if (!find(id)) return;
    const set = data.sets[state.set];
    const all = ((set.sweeps[id] || {})[state.measure]) || [];
    if (!all.length) return nothing(id, "Not measured on this set.");
    const systems = [...new Set(all.map((row) => row[0]))].sort((a, b) => a - b);
    const rows = shown(all).slice().sort((a, b) => a[x] - b[x]);
    const full = width(id);
    const values = [...new Set(all.map((row) => row[x]))].sort((a, b) => a - b);
    const single = values.length < 2;
    // Many bands over each other are mud; fewer systems show theirs better.
    const drawn = systems.filter((system) => !state.hidden.has(system)).length;
    const chart = plot({
      width: full, height: Math.min(380, Math.max(240, full * 0.5)), marginLeft: 44, marginRight: 24, marginBottom: 40,
      x: { type: single ? "point" : "log", domain: single ? values : d3.extent(values), label, ticks: values, tickFormat: count },
      y: { grid: true, label: state.measure, nice: true, ticks: 6 },
      marks: [
        Plot.areaY(rows, { x: (row) => row[x], y1: (row) => row[4], y2: (row) => row[5], z: (row) => row[0], fill: (row) => colour(row[0]), fillOpacity: drawn > 3 ? 0.05 : 0.13 }),
        Plot.lineY(rows, { x: (row) => row[x], y: (row) => row[3], z: (row) => row[0], stroke: (row) => colour(row[0]), strokeWidth: 2 }),
        Plot.dot(rows, {
          x: (row) => row[x], y: (row) => row[3], fill: (row) => colour(row[0]), stroke: "var(--surface)", r: 4, tip: true,
          title: (row) => `${name(row[0])}\n${state.measure} ${number(row[3])}\n95%: ${number(row[4])} to ${number(row[5])}\n${count(row[1])} ${id === "distractors" ? "distractors" : "tokens"}, ${count(row[2])} documents`,
        }),
      ],
      color: { type: "identity" },
    });
    put(id, chart, `${state.measure} of ${systems.length} systems on ${set.name}.`, legend(systems));
  };

  const bars = () => {
    if (!find("bars")) return;
    const set = data.sets[state.set];
    const rows = held(set, "bars");
    if (!rows.length) return nothing("bars", "Not measured on this set.");
    const order = ranked(held(set, "means")).map((row) => row[0]);
    const full = width("bars");
    const each = rows.flatMap(([system, counts]) => {
      const total = d3.sum(counts);
      return counts.map((queries, place) => ({ system, queries, share: total ? queries / total : 0, from: place / counts.length, to: (place + 1) / counts.length }));
    });
    const chart = plot({
      width: full, height: 72 * order.length + 60, marginLeft: 44, marginRight: 16, marginTop: 22, marginBottom: 36,
      x: { domain: [0, 1], label: `${state.measure} of a query`, ticks: 5 },
      y: { label: null, ticks: 2, tickFormat: "%", grid: true },
      fy: { domain: order, axis: null, padding: 0.3 },
      marks: [
        Plot.rectY(each, {
          x1: "from", x2: "to", y: "share", fy: "system", fill: (one) => colour(one.system), insetLeft: 0.5, insetRight: 0.5, tip: true,
          title: (one) => `${name(one.system)}\n${count(one.queries)} queries (${d3.format(".1%")(one.share)})\n${state.measure} from ${d3.format(".2f")(one.from)} to ${d3.format(".2f")(one.to)}`,
        }),
        Plot.ruleY([0], { stroke: "var(--edge)" }),
        Plot.text(order, { fy: (system) => system, frameAnchor: "top-left", textAnchor: "start", dy: -13, text: (system) => fitted(marked(system), full - 70), fill: "var(--ink)" }),
      ],
      color: { type: "identity" },
    });
    put("bars", chart, `Queries by ${state.measure}, for ${order.length} systems on ${set.name}.`);
  };

  const lengths = () => {
    const id = "lengths-chart";
    if (!find(id)) return;
    const full = width(id);
    const label = (one) => [one.of, one.texts].filter(Boolean).join(", ");
    const drawn = data.lengths.filter((one) => one.count);
    if (!drawn.length) return nothing(id, "There are no texts.");
    if (drawn.length > 4) {
      const left = Math.min(full * 0.45, 14 + longest(drawn.map(label)));
      const chart = plot({
        width: full, height: 22 * drawn.length + 50, marginLeft: left, marginRight: 20, marginTop: 8, marginBottom: 36,
        x: { type: "log", label: "characters", grid: true, ticks: full < 500 ? 3 : 6, tickFormat: count },
        y: { domain: drawn.map(label), label: null, tickSize: 0, tickFormat: (text) => fitted(text, left - 12) },
        marks: [
          Plot.ruleY(drawn, { y: label, x1: (one) => Math.max(1, one.p5), x2: (one) => Math.max(1, one.p95), stroke: (one) => (one.texts === "queries" ? "var(--c0)" : "var(--gold)"), strokeWidth: 5 }),
          Plot.dot(drawn, { y: label, x: (one) => Math.max(1, one.median), r: 4, fill: "var(--ink)", tip: true, title: (one) => `${label(one)}\nmedian ${count(one.median)}\n5th to 95th percentile: ${count(one.p5)} to ${count(one.p95)}` }),
        ],
        color: { type: "identity" },
      });
      return put(id, chart, `Lengths of ${drawn.length} kinds of texts.`);
    }
    const charts = drawn.map((one) => {
      const each = one.bins.map(([from, to, texts], place) => ({ from, to, texts, place }));
      const every = Math.ceil(each.length / (full < 500 ? 6 : 14));
      const chart = plot({
        width: full, height: 170, marginLeft: 52, marginRight: 16, marginTop: 24, marginBottom: 36,
        x: { domain: [0, each.length], label: "characters", ticks: d3.range(0, each.length, every), tickFormat: (place) => (Number.isInteger(place) && each[place] ? count(each[place].from) : "") },
        y: { grid: true, ticks: 4, label: null, tickFormat: (texts) => (Number.isInteger(texts) ? count(texts) : "") },
        marks: [
          Plot.rectY(each, {
            x1: "place", x2: (bin) => bin.place + 1, y: "texts", fill: one.texts === "queries" ? "var(--c0)" : "var(--gold)", insetLeft: 0.5, insetRight: 0.5, tip: true,
            title: (bin) => `${count(bin.texts)} ${one.texts}\n${count(bin.from)} to ${count(bin.to - 1)} characters`,
          }),
          Plot.ruleY([0], { stroke: "var(--edge)" }),
          Plot.text([label(one)], { frameAnchor: "top-left", textAnchor: "start", dy: -16, fill: "var(--ink)", text: (text) => text }),
        ],
      });
      const svg = chart.tagName === "svg" ? chart : chart.querySelector("svg");
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", `Lengths of ${label(one)}. The table below has the numbers.`);
      return chart;
    });
    find(id).replaceChildren(...charts);
  };

  // One stage below the other: the height of a band is its share of what came in.
  const flow = () => {
    if (!find("flow")) return;
    const full = width("flow");
    const told = (stage, what, rows) => `${count(rows)} ${what}${stage.in ? ` (${d3.format(rows === stage.in || !rows ? ".0%" : ".1%")(rows / stage.in)})` : ""}`;
    const wanted = longest(data.ledger.flatMap((stage) => [["kept", stage.kept], ...stage.dropped].map(([what, rows]) => told(stage, what, rows))));
    const [barWidth, labels, gap] = [12, Math.min(full * 0.68, 16 + wanted), 18];
    const right = full - labels;
    const svg = d3.create("svg").attr("width", full).attr("font-size", 12).attr("fill", "var(--ink)");
    let top = 0;
    for (const stage of data.ledger) {
      const parts = [["kept", stage.kept, "var(--kept)"], ...stage.dropped.map(([reason, rows]) => [reason, rows, "var(--dropped)"])];
      const tall = parts.length > 1 ? Math.max(54, 17 * parts.length + 4) : 16;
      const scale = stage.in ? (tall - 4 * (parts.length - 1)) / stage.in : 0;
      const group = svg.append("g").attr("transform", `translate(0,${top})`);
      group.append("text").attr("x", 0).attr("y", 14).attr("font-weight", 600).text(fitted(`${stage.stage}: ${count(stage.in)} ${stage.unit}`, full));
      const inside = group.append("g").attr("transform", "translate(0,24)");
      inside.append("rect").attr("width", barWidth).attr("height", Math.max(2, scale * stage.in)).attr("fill", "var(--edge)");
      let [from, to] = [0, 0];
      let said = -99;
      for (const [what, rows, fill] of parts) {
        const thick = Math.max(rows ? 1.5 : 0.5, scale * rows);
        const path = d3.path();
        const middle = (barWidth + right) / 2;
        path.moveTo(barWidth, from);
        path.bezierCurveTo(middle, from, middle, to, right, to);
        path.lineTo(right, to + thick);
        path.bezierCurveTo(middle, to + thick, middle, from + thick, barWidth, from + thick);
        path.closePath();
        inside.append("path").attr("d", path.toString()).attr("fill", fill).attr("fill-opacity", 0.35)
          .append("title").text(`${stage.stage}: ${count(rows)} ${what}`);
        inside.append("rect").attr("x", right).attr("y", to).attr("width", 5).attr("height", thick).attr("fill", fill);
        const line = Math.max(to + thick / 2, said + 15);
        said = line;
        inside.append("text").attr("x", right + 10).attr("y", line).attr("dy", "0.35em").attr("fill", fill)
          .text(long(told(stage, what, rows)) > labels - 12 ? fitted(`${count(rows)} ${what}`, labels - 12) : told(stage, what, rows));
        from += scale * rows;
        to += thick + 4;
      }
      top += 24 + Math.max(tall, to, said + 8) + gap;
    }
    svg.attr("height", top).attr("viewBox", `0 0 ${full} ${top}`);
    put("flow", svg.node(), `${data.ledger.length} stages of the build.`);
  };

  const draw = () => {
    if (data.sets.length) {
      heat();
      intervals();
      curve("distractors", 2, "documents in the corpus");
      curve("max_length", 1, "maximum length in tokens");
      bars();
    }
    lengths();
    flow();
  };

  if (data.sets.length) {
    const choose = (id, options, change) => {
      const select = find(id);
      if (!select) return;
      select.append(...options.map((text, place) => make("option", { value: place }, text)));
      select.addEventListener("change", () => { change(Number(select.value)); draw(); });
    };
    choose("measure", measures, (place) => { state.measure = measures[place]; });
    choose("set", data.sets.map((set) => set.name), (place) => { state.set = place; });
  }
  draw();
  let drawnAt = window.innerWidth;
  let waiting = 0;
  window.addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      if (window.innerWidth !== drawnAt) { drawnAt = window.innerWidth; draw(); }
    });
  });
})();
