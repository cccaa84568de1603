// Tables sort, figures tell what their points stand for, series go and come back, and every figure can
// be saved. Without scripts all of it is still there to read.
"use strict";

// A click on a heading sorts, up and then down. What is unknown stays last.
for (const table of document.querySelectorAll("table.sorts")) {
    const headings = Array.from(table.tHead.rows[0].cells);
    const body = table.tBodies[0];
    headings.forEach((heading, place) => {
        const numeric = heading.classList.contains("number");
        const key = (row) => {
            const cell = row.cells[place];
            return numeric ? number(cell) : cell.textContent.trim();
        };
        const isUnknown = (value) => value === null || value === "";
        const compare = (a, b) => (numeric ? a - b : a < b ? -1 : a > b ? 1 : 0);
        heading.querySelector("button").addEventListener("click", () => {
            const down = heading.getAttribute("aria-sort") === "ascending";
            const rows = Array.from(body.rows, (row) => ({ row, value: key(row) }));
            rows.sort((a, b) => {
                if (isUnknown(a.value) || isUnknown(b.value)) {
                    return isUnknown(a.value) - isUnknown(b.value);
                }
                return down ? compare(b.value, a.value) : compare(a.value, b.value);
            });
            body.append(...rows.map((item) => item.row));
            for (const other of headings) other.setAttribute("aria-sort", "none");
            heading.setAttribute("aria-sort", down ? "descending" : "ascending");
            const order = down ? "from the largest" : "from the smallest";
            const status = document.getElementById("sorted");
            status.textContent = `Sorted by ${heading.textContent.trim()}, ${order}.`;
        });
    });
}

// The number of a cell of a table: written beside it where its text is shorter or longer.
function number(cell) {
    if (cell.textContent === "") return null;
    return Number("value" in cell.dataset ? cell.dataset.value : cell.textContent);
}

// Whoever prints sees all.
const folded = [];
addEventListener("beforeprint", () => {
    folded.push(...document.querySelectorAll("details:not([open])"));
    for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
    for (const details of folded.splice(0)) details.open = false;
});

// The cells in the order of the folder, whatever the table is sorted by.
const cells = document.querySelector("#cells");
const cellRows = cells ? Array.from(cells.tBodies[0].rows) : [];
const cellNames = cells ? Array.from(cells.tHead.rows[0].cells, (cell) => cell.textContent.trim()) : [];
const hint = document.getElementById("hint");
let shown = null;

// Says what a point stands for, beside it.
function tell(mark, stays) {
    hide();
    const lines = [];
    const row = cellRows[mark.dataset.cell];
    if (row) {
        const known = cellNames.map((name, place) => [name, row.cells[place].textContent.trim()]);
        const end = cellNames.indexOf("n");
        const names = known.slice(0, end).map(([, text]) => text);
        lines.push(`${names.join(", ")}, n = ${known[end][1]}`);
        if (mark.dataset.words) lines.push(mark.dataset.words);
        for (const [name, text] of known.slice(end + 1)) if (text) lines.push(`${name}: ${text}`);
    } else {
        lines.push(mark.dataset.words);
    }
    const paragraphs = lines.map((line) => {
        const paragraph = document.createElement("p");
        paragraph.textContent = line;
        return paragraph;
    });
    if (row && row.dataset.command) {
        const paragraph = document.createElement("p");
        const command = document.createElement("code");
        command.textContent = row.dataset.command;
        paragraph.append("again: ", command);
        paragraphs.push(paragraph);
    }
    hint.replaceChildren(...paragraphs);
    hint.classList.toggle("stays", stays);
    hint.hidden = false;
    const box = mark.getBoundingClientRect();
    const wide = document.documentElement.clientWidth;
    const left = Math.max(4, Math.min(box.right + 8, wide - hint.offsetWidth - 4));
    const below = box.bottom + 8 + hint.offsetHeight <= innerHeight;
    const top = below ? box.bottom + 8 : Math.max(4, box.top - hint.offsetHeight - 8);
    hint.style.left = `${left + scrollX}px`;
    hint.style.top = `${top + scrollY}px`;
    mark.classList.add("at");
    shown = mark;
}

function hide() {
    if (shown) shown.classList.remove("at");
    shown = null;
    hint.hidden = true;
    hint.classList.remove("stays");
}

const marksOf = (svg) =>
    Array.from(svg.querySelectorAll("[data-cell], [data-words]")).filter((mark) => !mark.closest(".off"));

// The point under the pointer, or the nearest one that is near.
function markAt(svg, event) {
    if (event.target.matches("[data-cell], [data-words]")) return event.target;
    const here = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let [nearest, least] = [null, 12];
    for (const mark of marksOf(svg)) {
        const { x, y, width, height } = mark.getBBox();
        const away = Math.hypot(x + width / 2 - here.x, y + height / 2 - here.y);
        if (away < least) [nearest, least] = [mark, away];
    }
    return nearest;
}

for (const figure of document.querySelectorAll("figure")) {
    const card = figure.querySelector(".card");
    const svg = card.querySelector("svg");
    // They would be shown beside the hint.
    for (const title of svg.querySelectorAll("title")) title.remove();
    card.addEventListener("pointermove", (event) => {
        if (hint.classList.contains("stays")) return;
        const mark = markAt(svg, event);
        if (!mark) hide();
        else if (mark !== shown) tell(mark, false);
    });
    card.addEventListener("pointerleave", () => {
        if (!hint.classList.contains("stays")) hide();
    });
    // A click keeps the hint, so that its command can be copied.
    card.addEventListener("click", (event) => {
        const label = event.target.closest(".label");
        const mark = markAt(svg, event);
        if (label) toggle(figure, label.dataset.series);
        else if (mark) tell(mark, true);
        else hide();
    });
    // Left and right lead from point to point, up and down from series to series.
    card.addEventListener("keydown", (event) => {
        const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
        if (event.key === "Escape") hide();
        const step = steps[event.key];
        const all = marksOf(svg);
        if (!step || all.length === 0) return;
        event.preventDefault();
        let place = all.indexOf(shown);
        const group = (at) => (all[at] ? all[at].closest("[data-series]") : null);
        const before = group(place);
        const jumps = event.key === "ArrowDown" || event.key === "ArrowUp";
        do place = place < 0 && step < 0 ? all.length - 1 : (place + step + all.length) % all.length;
        while (jumps && before && group(place) === before && all[place] !== shown);
        all[place].scrollIntoView({ block: "nearest", inline: "nearest" });
        tell(all[place], true);
    });
    card.addEventListener("blur", hide);
    addLegend(figure, svg);
    addFiles(figure, svg);
}

// A button for each series that the drawing has a label for.
function addLegend(figure, svg) {
    const labels = new Set(Array.from(svg.querySelectorAll(".label"), (label) => label.dataset.series));
    if (labels.size < 2) return;
    const list = document.createElement("ul");
    list.className = "legend";
    list.setAttribute("aria-label", "Series of this figure");
    for (const name of labels) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.setAttribute("aria-pressed", "true");
        const inked = svg.querySelector(`.label[data-series="${CSS.escape(name)}"] [stroke]`);
        if (inked) button.style.setProperty("--series", getComputedStyle(inked).stroke);
        button.addEventListener("click", () => toggle(figure, name));
        const item = document.createElement("li");
        item.append(button);
        list.append(item);
    }
    figure.querySelector(".card").after(list);
}

function toggle(figure, name) {
    hide();
    for (const button of figure.querySelectorAll(".legend button")) {
        if (button.textContent !== name) continue;
        const off = button.getAttribute("aria-pressed") === "true";
        button.setAttribute("aria-pressed", String(!off));
        for (const group of figure.querySelectorAll("[data-series]")) {
            if (group.dataset.series === name) group.classList.toggle("off", off);
        }
    }
}

// Files: what is on the page, or what it holds squeezed.
function addFiles(figure, svg) {
    const place = figure.querySelector(".files");
    const { name, before, after, tex, csv } = place.dataset;
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const unpacked = (text) =>
        new Response(new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("deflate"))).blob();
    const font = () => bytes(document.getElementById("font").dataset.font);
    const kinds = {
        SVG: async () => new Blob([drawing(svg)], { type: "image/svg+xml" }),
        PNG: () => picture(svg),
        PDF: async () => new Blob([bytes(before), font(), bytes(after)], { type: "application/pdf" }),
        TeX: () => unpacked(tex),
        CSV: () => unpacked(csv),
    };
    for (const [kind, make] of Object.entries(kinds)) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = kind;
        button.setAttribute("aria-label", `Save ${name} as ${kind}`);
        button.addEventListener("click", async () => {
            const link = document.createElement("a");
            link.href = URL.createObjectURL(await make());
            link.download = `${name}.${kind.toLowerCase()}`;
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        });
        place.append(button);
    }
    place.hidden = false;
}

// The drawing as a file: what is seen of it, in the colours of paper.
function drawing(svg) {
    const copy = svg.cloneNode(true);
    for (const gone of copy.querySelectorAll(".off")) gone.remove();
    for (const element of [copy, ...copy.querySelectorAll("*")]) {
        for (const { name } of Array.from(element.attributes)) {
            if (/^(data-|aria-|role$|class$|style$)/.test(name)) element.removeAttribute(name);
        }
    }
    return new XMLSerializer().serializeToString(copy);
}

// The same in twice as many pixels.
function picture(svg) {
    const { width, height } = svg.viewBox.baseVal;
    const canvas = document.createElement("canvas");
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    const image = new Image();
    return new Promise((done, fail) => {
        image.onload = () => {
            canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
            canvas.toBlob(done, "image/png");
        };
        image.onerror = () => fail(new Error("the drawing cannot be shown"));
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing(svg))}`;
    });
}
