// Opens the playground in a browser that is offline, and holds its elections against those of the native
// program; then the form by keyboard, the histogram, a phone.
//
//     node playground-test.mjs FOLDER CHROMIUM HUSTINGS      called by scripts/browser-test
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder, executablePath, hustings] = process.argv.slice(2);
const file = `${folder}/playground.html`;
const url = pathToFileURL(file).href;
const RINGS = 20;
const run = (...words) => JSON.parse(execFileSync(hustings, words, { encoding: "utf8" }));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

// Whatever a page complains about or asks for is a failure.
async function open(options = {}, hash = "") {
    const context = await browser.newContext({ offline: true, viewport: { width: 1024, height: 768 }, ...options });
    const page = await context.newPage();
    const trouble = [];
    page.on("console", (message) => trouble.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => trouble.push(`error: ${error}`));
    page.on("request", (request) => {
        if (request.url().split("#")[0] !== url && request.url() !== "data:,") trouble.push(`request: ${request.url()}`);
    });
    await page.goto(url + hash);
    await page.waitForFunction(() => document.body.dataset.ready || document.querySelector("#wrong").textContent);
    const wrong = () => page.locator("#wrong").textContent();
    assert.equal(await wrong(), "");
    return { page, wrong, close: async () => { assert.deepEqual(trouble, []); await context.close(); } };
}
const text = (page, selector) => page.locator(selector).first().textContent();
const finished = (page) => page.waitForFunction(() => /^1000 elections, /.test(document.querySelector("#pace").textContent), null, { timeout: 120_000 });

try {
    assert.ok(statSync(file).size < 1_600_000, `the page is large: ${statSync(file).size} bytes`);

    // The same elections as the native program's, whatever can be told of them.
    const { page, close } = await open();
    const { algorithms } = run("list", "--json");
    const rings = algorithms.filter(({ needs }) => needs.includes("a ring")).map(({ name }) => name);
    assert.ok(rings.length >= 15, `${rings}`);
    const offered = await page.locator("#algorithm option").evaluateAll((options) => options.map((option) => option.value));
    assert.deepEqual([...offered].sort(), algorithms.map(({ name }) => name).sort());
    for (const algorithm of rings) {
        for (let number = 0; number < RINGS; number++) {
            const native = run("elect", "--algorithm", algorithm, "--n", String(number + 1), "--run", String(number), "--json");
            const here = await page.evaluate((asked) => playground.ask(asked), { ask: "elect", algorithm, n: number + 1, run: number });
            for (const key of Object.keys(here)) assert.deepEqual(here[key], native[key], `${algorithm}, run ${number}: ${key}`);
        }
    }
    // Delays are real numbers: they are the same to the last digit.
    for (const timing of ["uniform:0..1", "exponential:1", "lifo"]) {
        const flags = { algorithm: "chang-roberts+announce", n: 40, timing, run: 3, initiators: "share:0.5" };
        const native = run("elect", ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]), "--json");
        const here = await page.evaluate((asked) => playground.ask(asked), { ask: "elect", ...flags });
        for (const key of Object.keys(here)) assert.deepEqual(here[key], native[key], `${timing}: ${key}`);
    }
    // How fast: rings of 1000, whose elections take far longer than being asked for.
    const speeds = await page.evaluate(() => ["chang-roberts", "peterson"].map((algorithm) => {
        const ask = (from) => playground.ask({ ask: "many", algorithm, n: 1000, from, count: 50 }).messages.reduce((sum, one) => sum + one);
        ask(0);
        const before = performance.now();
        const messages = ask(50) + ask(100) + ask(150);
        return `${algorithm} ${(messages / (performance.now() - before) / 1000).toFixed(0)}`;
    }));
    console.log(`million messages a second at n = 1000: ${speeds.join(", ")}`);

    // It can be watched, every event of it, and another one after it.
    for (const [algorithm, n] of [["chang-roberts", 8], ["peterson", 12], ["echo-election", 9]]) {
        await page.locator("#algorithm").selectOption(algorithm);
        await page.locator("#n").fill(String(n));
        await page.locator("#one").click();
        const topology = await page.locator("#topology").inputValue();
        const native = run("elect", "--algorithm", algorithm, "--topology", topology, "--n", String(n), "--json");
        await page.locator("#last").click();
        assert.equal(await text(page, ".sum"), `${native.messages} of ${native.messages} messages`);
        assert.deepEqual(await page.locator(".node.leader text").allTextContents(), [String(native.leader)]);
        assert.match(await text(page, "#command"), new RegExp(`watch --algorithm ${algorithm} `));
    }
    await page.locator("#another").click();
    assert.equal(await page.locator("#run").inputValue(), "1");
    assert.match(await text(page, "#command"), /--run 1$/);
    await close();

    // The keyboard alone: IDs are typed, what is wrong is said and mended, arrows step.
    {
        const { page, wrong, close } = await open();
        await page.locator("#ids").focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("3,1,4,1");
        await page.keyboard.press("Enter");
        assert.match(await wrong(), /ids/);
        await page.keyboard.press("Backspace");
        await page.keyboard.type("5");
        await page.keyboard.press("Enter");
        assert.equal(await wrong(), "");
        assert.deepEqual(await page.locator(".node text").allTextContents(), ["3", "1", "4", "5"]);
        assert.equal(await page.locator("#n").isDisabled(), true);
        assert.equal(await text(page, "#count").then((words) => words.split(" ")[0]), "0", "typing does not step");
        const reached = new Set();
        for (let i = 0; i < 20; i++) {
            await page.keyboard.press("Tab");
            const [id, outline] = await page.evaluate(() => [document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]);
            reached.add(id);
            if (id) assert.notEqual(outline, "none", `focus on ${id} is not seen`);
        }
        for (const id of ["timing", "initiators", "run", "one", "another", "thousand", "play", "place"]) assert.ok(reached.has(id), `${id}: ${[...reached]}`);
        await page.locator("#next").focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        assert.match(await page.evaluate(() => location.hash), /ids=3%2C1%2C4%2C5.*step=2/);
        const hash = await page.evaluate(() => location.hash);
        await close();
        const again = await open({}, hash);
        assert.deepEqual(await again.page.locator(".node text").allTextContents(), ["3", "1", "4", "5"]);
        assert.match(await text(again.page, "#count"), /^2 /);
        await again.close();
    }

    // A thousand: as the native program measures them, on the law it has; light, dark, and on a phone.
    const facts = run("theory", "--algorithm", "chang-roberts", "--n", "30", "--json");
    for (const [name, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }]]) {
        const { page, wrong, close } = await open(options, "#algorithm=chang-roberts&n=30");
        const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
        assert.ok(await fits(), `the page is too wide, ${name}`);
        await page.screenshot({ path: `${folder}/playground-${name}.png` });
        await page.locator("#thousand").click();
        await finished(page);
        assert.equal(await wrong(), "");
        const counted = await page.evaluate(() => playground.ask({ ask: "many", algorithm: "chang-roberts", n: 30, from: 0, count: 1000 }).messages);
        const mean = counted.reduce((sum, one) => sum + one) / 1000;
        const [least, middle, most] = await page.locator("#measured td").allTextContents();
        assert.deepEqual([Number(least), parseFloat(middle), Number(most)], [Math.min(...counted), Number(mean.toFixed(2)), Math.max(...counted)]);
        assert.deepEqual(await page.locator("#theory td").evaluateAll((cells) => cells.map((cell) => Number(cell.firstChild.textContent))),
            [facts.best.value, Number(facts.mean.value.toFixed(2)), facts.worst.value]);
        // All runs are in bars, and the law has the same area: what lies outside of it is at most 2 in 10000.
        const areas = await page.evaluate(() => {
            const bars = [...document.querySelectorAll("#histogram .count")].map((bar) => Number(bar.getAttribute("height")));
            const steps = document.querySelector("#histogram .exact").getAttribute("d").split("M").join("L").split("L").slice(1).map((point) => Number(point.split(" ")[1]));
            const ground = Number(document.querySelector("#histogram .frame").getAttribute("y1"));
            return [bars.reduce((sum, one) => sum + one), steps.filter((_, place) => place % 2 === 0).reduce((sum, y) => sum + ground - y, 0)];
        });
        assert.ok(Math.abs(areas[1] / areas[0] - 1) < 0.01, `${areas}`);
        assert.ok(await fits(), `the histogram is too wide, ${name}`);
        await page.screenshot({ path: `${folder}/playground-many-${name}.png` });
        await close();
    }
    console.log(`${rings.length} algorithms, ${RINGS} rings each, elect the same in the browser`);
} finally {
    await browser.close();
}
