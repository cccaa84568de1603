// Opens reports in a browser that is offline: no error on the console, nothing loaded; tables that sort;
// points that tell their values, which are those of cells.csv, and the command that repeats them; series
// that go and come back; files that are saved; both colour schemes, a phone, a keyboard, no scripts, paper.
//
//     node report-test.mjs FOLDER CHROMIUM HUSTINGS      scripts/browser-test fills the folder
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [place, executablePath, hustings] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

// Opens a page offline; whatever it complains about or asks for is a failure at the end.
async function open(name, options = {}) {
    const context = await browser.newContext({ offline: true, ...options });
    const page = await context.newPage();
    const url = pathToFileURL(`${place}/${name}.html`).href;
    const trouble = [];
    page.on("console", (message) => trouble.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => trouble.push(`error: ${error}`));
    page.on("request", (request) => {
        // What the page holds itself may be drawn and saved.
        const isOwn = [url, "data:,"].includes(request.url()) || /^(blob:|data:image\/svg)/.test(request.url());
        if (!isOwn) trouble.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    const close = async () => {
        assert.deepEqual(trouble, [], name);
        await context.close();
    };
    return { page, close };
}

const noPageScroll = (page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

// The numbers (or null) of a column, from the top.
const column = (page, table, place) =>
    page.$$eval(`#${table} tbody tr`, (rows, place) => rows.map((row) => {
        const cell = row.cells[place];
        const text = cell.textContent.trim();
        if (!cell.classList.contains("n")) return text;
        return Number("value" in cell.dataset ? cell.dataset.value : text);
    }), place);

function assertSorted(values, descending, what) {
    const known = values.filter((value) => value !== null && value !== "");
    assert.ok(known.length > 1, `${what}: too few values to sort`);
    assert.deepEqual(values.slice(0, known.length), known, `${what}: the unknown come last`);
    for (let i = 1; i < known.length; i++) {
        assert.ok(descending ? known[i - 1] >= known[i] : known[i - 1] <= known[i], `${what}: ${known}`);
    }
}

// Tables are folded.
const unfold = (page) =>
    page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));

// Every column of every table sorts, by mouse and by keyboard, and says so.
async function assertTablesSort(page) {
    const tables = await page.$$eval("table.sorts", (tables) => tables.map((table) => table.id));
    assert.ok(tables.includes("verdicts") && tables.includes("cells"), `${tables}`);
    await unfold(page);
    for (const table of tables) {
        const count = await page.locator(`#${table} thead th`).count();
        for (let place = 0; place < count; place++) {
            const before = (await column(page, table, place)).filter((value) => value !== null && value !== "");
            if (new Set(before).size < 2) continue;
            const heading = page.locator(`#${table} thead th`).nth(place);
            const button = heading.locator("button");
            await button.click();
            assert.equal(await heading.getAttribute("aria-sort"), "ascending");
            assertSorted(await column(page, table, place), false, `${table} ${place} up`);
            await button.focus();
            await page.keyboard.press(place % 2 ? "Enter" : "Space");
            assert.equal(await heading.getAttribute("aria-sort"), "descending");
            const after = await column(page, table, place);
            assertSorted(after, true, `${table} ${place} down`);
            assert.equal(await page.locator(`#${table} [aria-sort=ascending], #${table} [aria-sort=descending]`).count(), 1);
            assert.match(await page.locator("#sorted").textContent(), /Sorted by .+, from the largest/);
            const values = after.filter((value) => value !== null && value !== "");
            assert.deepEqual([...values].sort(), [...before].sort(), `${table} ${place}: rows were lost`);
        }
    }
}

// Figures have ink, a name and a caption.
async function assertFigures(page, least) {
    const figures = await page.locator("figure").all();
    assert.ok(figures.length >= least, `${figures.length} figures`);
    for (const figure of figures) {
        const svg = figure.locator("svg[role=img]");
        const box = await svg.boundingBox();
        assert.ok(box && box.width > 100 && box.height > 100, JSON.stringify(box));
        const shapes = await svg.locator("path, polyline, line, rect, circle, polygon, text").all();
        assert.ok(shapes.length > 3, "an empty figure");
        assert.ok((await svg.getAttribute("aria-label")).length > 3);
        const caption = await svg.getAttribute("aria-describedby");
        assert.ok((await figure.locator(`#${caption}`).textContent()).length > 10);
        // The token ring is no figure of elections.
        assert.match(await figure.locator("code").textContent(), /^hustings (plot data\/\S+ --figure \S+$|token-ring --)/);
    }
}

// Text is told from its ground: at least 4.5 to 1, as WCAG asks.
async function assertContrast(page) {
    const poor = await page.evaluate(() => {
        const number = (text) => text.match(/[\d.]+/g).map(Number);
        const light = ([r, g, b]) => {
            const part = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
            return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
        };
        const ground = (element) => {
            for (let at = element; at; at = at.parentElement) {
                const colour = number(getComputedStyle(at).backgroundColor);
                if (colour.length === 3 || colour[3] > 0) return colour;
            }
            return [255, 255, 255];
        };
        const poor = [];
        for (const element of document.querySelectorAll("p, li, dt, dd, td span, td, th, button, caption, h1, h2, h3, code, pre, a")) {
            const [a, b] = [light(number(getComputedStyle(element).color)), light(ground(element))];
            const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (contrast < 4.5) poor.push(`${element.tagName} ${element.className} ${contrast.toFixed(2)}`);
        }
        return [...new Set(poor)];
    });
    assert.deepEqual(poor, []);
}

// The rows of a table as objects; no field of ours has a comma or a quote here.
function table(path) {
    const [head, ...rows] = readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(","));
    return rows.map((row) => Object.fromEntries(head.map((name, place) => [name, row[place]])));
}

// Every number of the table of all cells is that of cells.csv, to the last digit.
async function assertNumbers(page, folder) {
    const cells = table(`${folder}/cells.csv`).filter((cell) => cell.metric === "messages");
    const names = await page.$$eval("#cells thead th", (all) => all.map((cell) => cell.textContent.trim()));
    const at = async (name) => column(page, "cells", names.indexOf(name));
    const columns = {
        algorithm: "algorithm", topology: "topology", n: "n", runs: "runs", messages: "mean", sd: "sd",
        "least to most": "max", theory: "theory_mean", ratio: "measured_over_theory", z: "z",
    };
    for (const [shown, name] of Object.entries(columns)) {
        const isText = ["algorithm", "topology"].includes(shown);
        const expected = cells.map((cell) => (isText || cell[name] === "" ? cell[name] : Number(cell[name])));
        assert.deepEqual(await at(shown), expected, shown);
    }
}

// Moves to a point and gives what is said there, with the row of cells.csv of the point that is told of.
async function hover(page, folder, mark) {
    await mark.scrollIntoViewIfNeeded();
    const box = await mark.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const hint = page.locator("#hint");
    assert.ok(await hint.isVisible(), "a point says nothing");
    const number = await page.locator(".card .at").getAttribute("data-cell");
    const cells = table(`${folder}/cells.csv`).filter((cell) => cell.metric === "messages");
    return { text: await hint.innerText(), cell: cells[number] };
}

// Points tell the numbers of their cell, and the command that repeats its first run.
async function assertHints(page, folder) {
    for (const name of ["messages", "ratio", "layouts", "networks"]) {
        const marks = page.locator(`#figure-${name} [data-cell]`);
        const count = await marks.count();
        assert.ok(count > 5, `${name} has ${count} points`);
        for (const place of [0, Math.floor(count / 2), count - 1]) {
            const { text, cell } = await hover(page, folder, marks.nth(place));
            assert.ok(text.startsWith(cell.algorithm) && text.includes(`n = ${cell.n}\n`), text);
            const [, shown] = text.match(/messages: ([\d.e+]+)/);
            assert.ok(Math.abs(Number(shown) - Number(cell.mean)) <= 0.001 * Number(cell.mean), text);
            if (cell.theory_mean) assert.match(text, /theory: [\d.]/);
            const [, command] = text.replaceAll("\n", " ").match(/again: (hustings .*)$/);
            if (name !== "messages") continue;
            const words = command.trim().split(" ").slice(1);
            const outcome = JSON.parse(execFileSync(hustings, [...words, "--json"], { encoding: "utf8" }));
            const parts = ["algorithm", "topology", "layout", "ids", "initiators", "timing", "n"];
            const runs = table(`${folder}/runs.csv`);
            const run = runs.find((run) => run.run === "0" && parts.every((part) => run[part] === cell[part]));
            assert.equal(outcome.messages, Number(run.messages), command);
        }
    }
    await page.mouse.move(2, 2);
    assert.ok(!(await page.locator("#hint").isVisible()), "the hint stays without a click");
}

// Arrows lead from point to point and from series to series, and Escape ends it.
async function assertArrows(page) {
    const card = page.locator("#figure-messages .card");
    const hint = page.locator("#hint");
    await card.focus();
    const series = () => page.locator(".card .at").evaluate((mark) => mark.closest("[data-series]").dataset.series);
    await page.keyboard.press("ArrowRight");
    const first = await hint.innerText();
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await hint.innerText(), first);
    const before = await series();
    await page.keyboard.press("ArrowDown");
    assert.notEqual(await series(), before);
    assert.match(await hint.innerText(), /hustings elect/);
    assert.equal(await hint.getAttribute("role"), "status");
    await page.keyboard.press("Escape");
    assert.ok(!(await hint.isVisible()));
}

// A series goes and comes back, by its button and by its label in the drawing.
async function assertToggles(page) {
    const figure = page.locator("#figure-messages");
    const button = figure.locator(".legend button", { hasText: /^chang-roberts$/ });
    const group = figure.locator('svg [data-series="chang-roberts"]:not(.label)');
    const seen = () => group.evaluate((group) => getComputedStyle(group).visibility);
    for (const [press, pressed, visibility] of [["Enter", "false", "hidden"], ["Space", "true", "visible"]]) {
        await button.focus();
        await page.keyboard.press(press);
        assert.equal(await button.getAttribute("aria-pressed"), pressed);
        assert.equal(await seen(), visibility);
    }
    const label = figure.locator('svg .label[data-series="chang-roberts"] text');
    await label.click();
    assert.equal(await seen(), "hidden");
    await label.click();
    assert.equal(await seen(), "visible");
}

// Figures are saved; PDF, TeX and CSV are the bytes that `hustings plot` writes.
async function assertFiles(page) {
    for (const kind of ["SVG", "PNG", "PDF", "TeX", "CSV"]) {
        const wait = page.waitForEvent("download");
        await page.locator("#figure-ratio .files button", { hasText: kind }).click();
        const download = await wait;
        const name = `ratio.${kind.toLowerCase()}`;
        assert.equal(download.suggestedFilename(), name);
        const bytes = readFileSync(await download.path());
        if (kind === "SVG") {
            assert.match(bytes.toString(), /^<svg [^>]*viewBox/);
            assert.doesNotMatch(bytes.toString(), /data-|class=/);
        } else if (kind === "PNG") {
            assert.equal(bytes.subarray(1, 4).toString(), "PNG");
            // It is twice as wide as the drawing, and not blank.
            assert.equal(bytes.readUInt32BE(16), 1680);
            assert.ok(bytes.length > 30000, `${bytes.length} bytes`);
        } else {
            assert.ok(bytes.equals(readFileSync(`${place}/saved/${name}`)), `${name} is another`);
        }
    }
}

// Drawings are told from their ground: letters as 4.5 to 1, on dark paper also everything that is inked.
async function assertInk(page, isDark) {
    const poor = await page.evaluate((isDark) => {
        const light = (text) => {
            const part = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
            const [r, g, b] = text.match(/[\d.]+/g).map((c) => part(Number(c)));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = light(getComputedStyle(document.body).backgroundColor);
        const poor = new Set();
        for (const element of document.querySelectorAll(".card svg text, .card svg [stroke], .card svg circle")) {
            const isText = element.tagName === "text";
            // Lines that only guide the eye are faint, and paper is paper.
            const style = getComputedStyle(element);
            const colour = isText || style.stroke === "none" ? style.fill : style.stroke;
            if (!isText && (!isDark || element.getAttribute("stroke") === "#e4e4e4")) continue;
            if (["none", getComputedStyle(document.body).backgroundColor].includes(colour)) continue;
            const [a, b] = [light(colour), ground];
            const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (contrast < (isText ? 4.5 : 3)) poor.add(`${element.tagName} ${colour} ${contrast.toFixed(2)}`);
        }
        return [...poor];
    }, isDark);
    assert.deepEqual(poor, []);
}

try {
    // The usual page, light and dark.
    for (const colorScheme of ["light", "dark"]) {
        const { page, close } = await open("many", { colorScheme, viewport: { width: 1280, height: 900 } });
        assert.ok(await noPageScroll(page));
        assert.match(await page.locator(".verdict .heading").textContent(), /confirmed/);
        await assertFigures(page, 3);
        await assertContrast(page);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(ground === "rgb(255, 255, 255)", colorScheme === "light", ground);
        await assertInk(page, colorScheme === "dark");
        await page.screenshot({ path: `${place}/${colorScheme}.png`, fullPage: true });
        await close();
    }

    // What points say, series that go and come back, files, and that all is seen at 1200 pixels.
    {
        const { page, close } = await open("many", { viewport: { width: 1200, height: 900 }, acceptDownloads: true });
        await assertNumbers(page, `${place}/data/reproduce-quick`);
        await assertHints(page, `${place}/data/reproduce-quick`);
        await assertArrows(page);
        await assertToggles(page);
        await assertFiles(page);
        const order = await page.evaluate(() =>
            document.querySelector("figure").compareDocumentPosition(document.querySelector("table")));
        assert.equal(order & 4, 4, "a table comes before the first figure");
        await unfold(page);
        const wide = await page.$$eval(".box", (boxes) =>
            boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.getAttribute("aria-labelledby")));
        assert.deepEqual(wide, [], "columns are cut off");
        await close();
    }

    // Without scripts everything is there to read, and nothing that does not work.
    {
        const { page, close } = await open("many", { javaScriptEnabled: false, viewport: { width: 1200, height: 900 } });
        assert.ok(await page.locator(".verdict .heading").isVisible());
        assert.ok(await page.locator("#figure-messages svg text").first().isVisible());
        for (const gone of [".legend", ".files", "#hint"]) assert.equal(await page.locator(gone).filter({ visible: true }).count(), 0);
        const summary = page.locator("summary").first();
        await summary.click();
        assert.ok(await page.locator("#verdicts").isVisible(), "what is folded cannot be opened");
        await close();
    }

    // Sorting, and the keyboard alone: the first stop skips to the verdicts, and is seen.
    {
        const { page, close } = await open("many");
        await assertTablesSort(page);
        await page.reload();
        await page.keyboard.press("Tab");
        const skip = page.locator(".skip");
        assert.ok(await skip.evaluate((link) => link === document.activeElement));
        const box = await skip.boundingBox();
        assert.ok(box.x >= 0 && box.y >= 0, "the skip link is not seen");
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement.id), "content");
        await page.locator("summary").first().focus();
        await page.keyboard.press("Enter");
        const button = page.locator("#verdicts thead button").first();
        await button.focus();
        await page.keyboard.press("Tab");
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(outline, "none", "focus is not seen");
        await close();
    }

    // A phone.
    for (const name of ["many", "single", "wrong"]) {
        const { page, close } = await open(name, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
        assert.ok(await noPageScroll(page), `${name} is wider than a phone`);
        await unfold(page);
        assert.ok(await noPageScroll(page), `${name} is wider than a phone`);
        await page.locator("#verdicts thead button").first().tap();
        await page.screenshot({ path: `${place}/phone-${name}.png`, fullPage: name !== "many" });
        await close();
    }

    // Paper: nothing is cut off by a box that scrolls, and colours are those of ink.
    {
        const { page, close } = await open("many", { colorScheme: "dark" });
        await page.emulateMedia({ media: "print", colorScheme: "dark" });
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        assert.equal(await page.locator("details:not([open])").count(), 0, "folded on paper");
        const cut = await page.$$eval(".box, .card, pre", (boxes) =>
            boxes.filter((box) => getComputedStyle(box).overflowY !== "visible" || box.scrollHeight > box.clientHeight + 2).length);
        assert.equal(cut, 0, "boxes scroll on paper");
        assert.equal(await page.locator("nav").isVisible(), false);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(ground, "rgb(255, 255, 255)");
        await page.pdf({ path: `${place}/paper.pdf`, preferCSSPageSize: true });
        await close();
    }

    // Little to show, and theory contradicted.
    for (const [name, heading, rows] of [["single", /No exact expectation/, 0], ["wrong", /contradicted/, 1]]) {
        const { page, close } = await open(name, { viewport: { width: 1280, height: 900 } });
        assert.match(await page.locator(".verdict .heading").textContent(), heading);
        await assertFigures(page, 0);
        assert.equal(await page.locator("#attention tbody tr").count(), rows);
        if (rows) assert.ok(await page.locator("#attention").isVisible());
        await assertContrast(page);
        await page.screenshot({ path: `${place}/${name}.png`, fullPage: true });
        await close();
    }
    console.log("the pages open, tell, toggle, save, sort, shrink and print");
} finally {
    await browser.close();
}
