// Tables sort by a click on a heading, up and then down. What is unknown stays last.
"use strict";
for (const table of document.querySelectorAll("table.sorts")) {
    const headings = Array.from(table.tHead.rows[0].cells);
    const body = table.tBodies[0];
    headings.forEach((heading, place) => {
        const numeric = heading.classList.contains("number");
        const key = (row) => {
            const cell = row.cells[place];
            if (!numeric) return cell.textContent.trim();
            return "value" in cell.dataset ? Number(cell.dataset.value) : null;
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
