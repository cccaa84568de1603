// Opens pages of `hustings watch` in a browser that is offline, and holds them against `elect --json`:
// every message is drawn, the last step is the outcome, going back shows the first picture again.
//
//     node watch-test.mjs FOLDER CHROMIUM HUSTINGS MERMAID      called by scripts/browser-test
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder, executablePath, hustings, mermaid] = process.argv.slice(2);
const place = `${folder}/watch`;
mkdirSync(place, { recursive: true });
const run = (...words) => execFileSync(hustings, words, { cwd: place, encoding: "utf8" });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

// One page for all: whatever it complains about or asks for is a failure.
async function opener(options = {}) {
    const context = await browser.newContext({ offline: true, viewport: { width: 1024, height: 768 }, ...options });
    const page = await context.newPage();
    const trouble = [];
    let url = "";
    page.on("console", (message) => trouble.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => trouble.push(`error: ${error}`));
    page.on("dialog", (dialog) => { trouble.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on("request", (request) => {
        if (request.url().split("#")[0] !== url && request.url() !== "data:,") trouble.push(`request: ${request.url()}`);
    });
    return {
        page,
        async open(name, hash = "") {
            url = pathToFileURL(`${place}/${name}.html`).href;
            // A change of the hash alone would load nothing.
            await page.goto("about:blank");
            await page.goto(url + hash);
            trouble.push(...(await page.evaluate(() => (document.querySelector("#now").textContent ? [] : ["nothing is told"]))));
        },
        async close() {
            assert.deepEqual(trouble, []);
            await context.close();
        },
    };
}

const picture = (page) => page.evaluate(() => document.querySelector("#main").innerHTML);
// Where two pictures part, not all of both.
function assertSame(one, other, what) {
    let place = 0;
    while (place < one.length && one[place] === other[place]) place++;
    assert.ok(one === other, `${what} is not the same: ${one.slice(place - 40, place + 80)} for ${other.slice(place - 40, place + 80)}`);
}
const text = (page, selector) => page.locator(selector).first().textContent();
const noPageScroll = (page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

// A topology on which an algorithm with these needs runs.
const homes = { "a ring": "ring", "a tree": "balanced-tree:2", "a complete network": "complete" };
const home = (needs, other) => homes[needs.find((need) => need in homes)] ?? other;

try {
    // Every algorithm on a small network.
    const { page, open, close } = await opener();
    const { algorithms } = JSON.parse(run("list", "--json"));
    for (const { name, needs } of algorithms) {
        const topology = home(needs, "grid");
        const flags = ["--algorithm", name, "--topology", topology, "--n", "6", "--seed", "3"];
        const outcome = JSON.parse(run("elect", ...flags, "--json"));
        run("watch", ...flags, "--out", `${name}.html`, "--quiet");
        assert.ok(statSync(`${place}/${name}.html`).size < 1_000_000, `${name}: the page is large`);
        await open(name);
        assert.equal(await page.locator(".spacetime .message").count(), outcome.messages, name);
        assert.equal(await page.locator("#play").textContent(), "Play", "it starts paused");
        const first = await picture(page);
        await page.keyboard.press("End");
        assert.match(await text(page, ".sum"), new RegExp(`^${outcome.messages} of ${outcome.messages} messages$`));
        assert.equal(await page.locator(".spacetime .message.done").count(), outcome.messages, name);
        assert.equal(await page.locator(".token").count(), 0, `${name}: something is still on its way`);
        const leaders = await page.locator(".node.leader text").allTextContents();
        // Where nobody can be told from another, all do the same.
        if (outcome.leader === null) assert.ok(leaders.length === 0 || leaders.length === outcome.n, name);
        else assert.deepEqual(leaders, [String(outcome.leader)], name);
        const listed = await page.locator(".states .leader b").allTextContents();
        assert.deepEqual(listed, leaders, name);
        // Back step by step for a while, then at once.
        for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("Home");
        assertSame(await picture(page), first, `${name}: there and back`);
    }
    await close();

    // Mermaid reads every sequence diagram and finds all messages; ShiViz's expression finds all events.
    {
        const page = await browser.newPage();
        await page.addScriptTag({ path: mermaid });
        for (const { name, needs } of algorithms) {
            const flags = ["--algorithm", name, "--topology", home(needs, "path"), "--n", "4"];
            const { messages } = JSON.parse(run("elect", ...flags, "--json"));
            const diagram = run("elect", ...flags, "--trace", "mermaid");
            const found = await page.evaluate(async (diagram) => {
                await window.mermaid.parse(diagram);
                const read = await window.mermaid.mermaidAPI.getDiagramFromText(diagram);
                return read.db.getMessages().filter((message) => message.from !== undefined && message.to !== undefined && message.placement === undefined).length;
            }, diagram);
            assert.equal(found, messages, `${name}: Mermaid finds other messages`);
            const log = run("elect", ...flags, "--trace", "shiviz");
            const [expression, empty, ...lines] = log.split("\n");
            assert.equal(empty, "");
            const matches = [...lines.join("\n").matchAll(new RegExp(expression, "g"))];
            assert.equal(matches.length, (lines.length - 1) / 2, `${name}: ShiViz finds other events`);
            for (const { groups } of matches) assert.ok(JSON.parse(groups.clock)[groups.host] >= 1);
        }
        // It can be drawn, too.
        const diagram = run("elect", "--algorithm", "chang-roberts", "--n", "4", "--trace", "mermaid");
        const svg = await page.evaluate(async (diagram) => (await window.mermaid.render("drawn", diagram)).svg, diagram);
        assert.match(svg, /Candidate\(4\)/);
        await page.close();
    }

    // The keyboard alone, the hash, the causal past, and the picture as a file.
    {
        const { page, open, close } = await opener({ acceptDownloads: true });
        run("watch", "--algorithm", "chang-roberts", "--n", "8", "--layout", "worst", "--out", "worst.html", "--quiet");
        await open("worst");
        for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
        assert.equal(await text(page, "#count"), "12 / 44");
        assert.equal(await page.evaluate(() => location.hash), "#step=12");
        // 5's ID came to a smaller one: the line that says so is told, and marked in the pseudocode.
        assert.equal(await text(page, "#now .fired"), "on <id, q>: q > id: follow; send <id, q>");
        assert.deepEqual((await page.locator("pre [aria-current]").allTextContents()).map((line) => line.slice(0, 11)), ["on <id, q>:"]);
        const there = await picture(page);
        await page.keyboard.press("PageDown");
        await page.keyboard.press("PageUp");
        assertSame(await picture(page), there, "there and back");
        await open("worst", "#step=12");
        assertSame(await picture(page), there, "the hash leads to the same place");
        // The event at step 12 got 5's ID, which 5 sent when it started; nothing else came before.
        await page.keyboard.press("c");
        assert.match(await text(page, "#now"), /: 0 messages and 1 event had to come before it/);
        assert.equal(await page.locator(".message.before").count(), 1);
        await page.keyboard.press("Escape");
        assertSame(await picture(page), there, "there and back");
        // By mouse: before the last message came all that did not end at 8 itself, 36 - 8, and of the 44
        // events all but the 8 arrivals there.
        await page.keyboard.press("End");
        await page.locator(".spacetime .message").last().locator("line.hit").click({ force: true });
        assert.match(await text(page, "#now"), /^Candidate\(8\) from 1 to 8: 28 messages and 36 events/);
        await page.keyboard.press("Escape");
        // Tab reaches every control, and is seen.
        const reached = new Set();
        await page.evaluate(() => document.activeElement.blur());
        for (let i = 0; i < 12; i++) {
            await page.keyboard.press("Tab");
            const [id, outline] = await page.evaluate(() => [document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]);
            reached.add(id);
            if (id) assert.notEqual(outline, "none", `focus on ${id} is not seen`);
        }
        for (const id of ["first", "back", "play", "next", "last", "place", "speed", "export"]) assert.ok(reached.has(id), `${id}: ${[...reached]}`);
        // Space plays to the end; it ends by itself.
        await page.keyboard.press("Home");
        await page.locator("#speed").evaluate((speed) => { speed.value = 8; });
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("Space");
        await page.waitForFunction(() => document.querySelector("#count").textContent === "44 / 44" && document.querySelector("#play").textContent === "Play", null, { timeout: 30_000 });
        await page.locator("summary").click();
        await page.waitForFunction(() => document.querySelectorAll(".events li").length === 44);
        await page.locator(".events a").nth(2).click();
        assert.equal(await text(page, "#count"), "3 / 44");
        const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#export").click()]);
        const svg = readFileSync(await download.path(), "utf8");
        assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        assert.ok(!svg.includes("var(--") && svg.includes("rgb("), "colours are written out");
        await close();
    }

    // Names that mean something to HTML and to scripts.
    {
        const { page, open, close } = await opener();
        const nasty = `a"'><img src=x onerror=alert(1)><\u2028script>.txt`;
        writeFileSync(`${place}/${nasty}`, "0 1\n1 2\n2 0\n");
        run("watch", "--algorithm", "echo-election", "--topology", `file:${nasty}`, "--out", "nasty.html", "--quiet");
        await open("nasty");
        assert.match(await text(page, "#setting"), /<img src=x onerror=alert\(1\)>/);
        assert.equal(await page.locator("img").count(), 0);
        assert.match(await text(page, "#command"), /watch --algorithm echo-election/);
        await close();
    }

    // Two beside each other, and too much to follow; light, dark, and on a phone.
    run("watch", "--algorithm", "chang-roberts", "--with", "peterson", "--n", "8", "--out", "two.html", "--quiet");
    run("watch", "--algorithm", "peterson", "--n", "300", "--out", "dense.html", "--quiet");
    run("watch", "--algorithm", "echo-election", "--topology", "grid", "--n", "16", "--out", "grid.html", "--quiet");
    for (const [name, options] of [
        ["light", {}],
        ["dark", { colorScheme: "dark" }],
        ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
        ["still", { reducedMotion: "reduce" }],
    ]) {
        const { page, open, close } = await opener(options);
        for (const one of ["worst", "two", "dense", "grid", "nasty"]) {
            assert.ok(statSync(`${place}/${one}.html`).size < 500_000, one);
            await open(one);
            const first = await picture(page);
            await page.locator("#last").click();
            assert.ok(await noPageScroll(page), `${one} is wider than the page on ${name}`);
            await page.locator("#first").click();
            assertSame(await picture(page), first, `${one} on ${name}`);
            await page.locator("#last").click();
            await page.screenshot({ path: `${place}/${name}-${one}.png` });
            if (one === "two") {
                const sums = await page.locator(".sum small").allTextContents();
                const each = ["chang-roberts", "peterson"].map((algorithm) => JSON.parse(run("elect", "--algorithm", algorithm, "--n", "8", "--json")).messages);
                assert.deepEqual(sums, each.map((count) => `of ${count} messages`), "the same ring as alone");
            }
        }
        await close();
    }

    // What a page would not show is refused, and nobody's file is written over.
    writeFileSync(`${place}/mine.html`, "mine");
    for (const flags of [["--n", "8", "--out", "mine.html"], ["--n", "1500", "--layout", "worst"]]) {
        assert.throws(() => execFileSync(hustings, ["watch", "--algorithm", "chang-roberts", ...flags], { cwd: place, stdio: "pipe" }), (error) => error.status === 2);
    }
    assert.equal(readFileSync(`${place}/mine.html`, "utf8"), "mine");
    console.log(`the elections of ${algorithms.length} algorithms play forwards and backwards`);
} finally {
    await browser.close();
}
