// The playground: a form above the watch page. The elections are held by the program itself, which is in
// the page as WebAssembly; nothing here knows an algorithm.
const playground = (() => {
    const find = (id) => document.getElementById(id);
    const form = find("ask");

    // The program. If it breaks down, it is started anew.
    let code = null, program = null;
    async function load() {
        const packed = Uint8Array.from(atob(find("wasm").textContent), (letter) => letter.charCodeAt(0));
        const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
        code = await WebAssembly.compile(await bytes.arrayBuffer());
        start();
    }
    const start = () => { program = new WebAssembly.Instance(code).exports; };
    function ask(question) {
        const words = new TextEncoder().encode(JSON.stringify(question));
        try {
            const room = program.room(words.length);
            new Uint8Array(program.memory.buffer, room, words.length).set(words);
            const length = program.answer();
            const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(program.memory.buffer, program.place(), length)));
            if (answer.error !== undefined) throw new Error(answer.error);
            return answer;
        } catch (error) {
            if (!(error instanceof WebAssembly.RuntimeError)) throw error;
            start();
            throw new Error("the program broke down here; try another election");
        }
    }

    // What can be chosen.
    const LAYOUTS = ["random", "ascending", "descending", "best", "worst", "alternating", "bit-reversal", "organ-pipe", "nearly-sorted:2"];
    const TIMINGS = [["sync", "in rounds"], ["uniform:0..1", "uniform:0..1"], ["exponential:1", "exponential:1"], ["lifo", "lifo"]];
    const TREES = ["balanced-tree:2", "path", "star", "random-tree"];
    const NETWORKS = {
        "rings": ["ring"],
        "trees": TREES,
        "graphs": ["grid", "ring", "complete", "hypercube", "erdos-renyi:0.3", ...TREES],
        "complete networks": ["complete"],
    };
    let algorithms = new Map();
    const option = (parent, value, text = value) => {
        const made = document.createElement("option");
        made.value = value;
        made.textContent = text;
        parent.append(made);
    };
    function offer() {
        for (const on of Object.keys(NETWORKS)) {
            const group = document.createElement("optgroup");
            group.label = `On ${on}`;
            for (const one of algorithms.values()) if (one.on === on) option(group, one.name);
            find("algorithm").append(group);
        }
        for (const layout of LAYOUTS) option(find("layout"), layout);
        for (const [value, text] of TIMINGS) option(find("timing"), value, text);
        find("algorithm").value = "chang-roberts";
        fit();
    }
    // Only what the algorithm can have is offered.
    function fit() {
        const { on, summary } = algorithms.get(find("algorithm").value);
        const networks = NETWORKS[on], topology = find("topology"), before = topology.value;
        find("algorithm").title = summary;
        topology.replaceChildren();
        for (const network of networks) option(topology, network);
        if (networks.includes(before)) topology.value = before;
        topology.disabled = networks.length === 1;
        const listed = /^\d/.test(find("ids").value);
        find("n").disabled = find("layout").disabled = listed;
    }
    // What the form says; what is disabled says nothing.
    function request() {
        const fields = Object.fromEntries(new FormData(form));
        fields.topology = find("topology").value;
        for (const number of ["n", "run"]) if (fields[number] !== undefined) fields[number] = Number(fields[number]);
        return { seed: 1, ...fields };
    }

    // The address has the form, so that it can be sent to somebody; the step stands beside it.
    const USUAL = { topology: "ring", ids: "dense", layout: "random", timing: "sync", initiators: "all", run: "0" };
    function remember(keep) {
        const words = new URLSearchParams();
        for (const [name, value] of new FormData(form)) if (USUAL[name] !== value) words.set(name, value);
        if (find("topology").value !== "ring") words.set("topology", find("topology").value);
        const step = new URLSearchParams(location.hash.slice(1)).get("step");
        if (keep && step) words.set("step", step);
        history.replaceState(null, "", `#${words}`);
    }
    function recall() {
        const words = new URLSearchParams(location.hash.slice(1));
        const set = (name) => {
            const field = find(name), value = words.get(name);
            const known = !field.options || [...field.options].some((one) => one.value === value);
            if (value !== null && known) field.value = value;
        };
        set("algorithm");
        fit();
        for (const name of ["topology", "n", "ids", "layout", "timing", "initiators", "run"]) set(name);
        fit();
    }

    // One of the two is seen: an election, or the histogram of many.
    let counting = 0;
    function show(many) {
        counting++;
        find("many").hidden = !many;
        find("main").hidden = many;
        find("one").setAttribute("aria-pressed", String(!many));
        find("thousand").setAttribute("aria-pressed", String(many));
    }
    function attempt(act) {
        try {
            find("wrong").textContent = "";
            act();
        } catch (error) {
            find("wrong").textContent = error.message;
        }
    }
    const one = (keep = false) => attempt(() => {
        const data = ask({ ask: "watch", ...request() });
        show(false);
        remember(keep);
        watch(data);
    });

    // Many elections, as many at a time as a picture of the screen allows.
    const MANY = 1000;
    const thousand = () => attempt(() => {
        const asked = request();
        const theory = ask({ ask: "theory", ...asked });
        show(true);
        remember(false);
        const mine = counting, counts = new Map();
        let runs = 0, sum = 0, squares = 0, seconds = 0, at_once = 1;
        const size = asked.n === undefined ? "" : `, n = ${asked.n}`;
        find("many-title").textContent = `${asked.algorithm}: messages of ${MANY} elections`;
        find("many-setting").textContent = `${asked.topology}${size}; layout ${asked.layout ?? "given"}; timing ${asked.timing}; starters ${asked.initiators}`;
        const more = () => attempt(() => {
            if (mine !== counting) return;
            const count = Math.min(at_once, MANY - runs), before = performance.now();
            const { messages } = ask({ ask: "many", ...asked, from: runs, count });
            const took = (performance.now() - before) / 1000;
            for (const one of messages) {
                counts.set(one, (counts.get(one) ?? 0) + 1);
                sum += one;
                squares += one * one;
            }
            runs += count;
            seconds += took;
            // A little more each time, so that it is seen to grow.
            if (took < 0.02) at_once = Math.min(Math.ceil(at_once * 1.3), 25);
            const mean = sum / runs, deviation = Math.sqrt(Math.max(squares / runs - mean * mean, 0) * (runs / Math.max(runs - 1, 1)));
            histogram(counts, runs, theory);
            beside(counts, runs, mean, deviation / Math.sqrt(runs), theory.facts);
            find("pace").textContent = runs < MANY ? `${runs} elections` : `${runs} elections, ${sum} messages in ${seconds.toFixed(2)} seconds`;
            if (runs < MANY) requestAnimationFrame(more);
        });
        more();
    });

    // Where nearly all of the law lies: one run in ten thousand falls outside on either side.
    function core(law) {
        const { fewest, probabilities } = law;
        let low = 0, high = probabilities.length - 1;
        for (let rest = 1e-4; low < high && probabilities[low] < rest; low++) rest -= probabilities[low];
        for (let rest = 1e-4; low < high && probabilities[high] < rest; high--) rest -= probabilities[high];
        return [fewest + low, fewest + high];
    }
    // A round number near a third to a fifth of the whole.
    function stride(range) {
        const power = 10 ** Math.floor(Math.log10(Math.max(range / 5, 1)));
        return [1, 2, 5, 10].map((times) => times * power).find((step) => range / step <= 6) ?? power;
    }
    function histogram(counts, runs, { law, facts }) {
        const svg = find("histogram"), [W, H, left, right, top, bottom] = [1000, 390, 70, 20, 40, 62];
        svg.replaceChildren();
        const seen = [...counts.keys()];
        const ends = [...seen, ...(law ? core(law) : [])];
        const low = Math.min(...ends), high = Math.max(...ends);
        const width = Math.max(1, Math.ceil((high - low + 1) / 60));
        const bins = Math.floor((high - low) / width) + 1;
        const measured = new Array(bins).fill(0), expected = new Array(bins).fill(0);
        const bin = (messages) => Math.floor((messages - low) / width);
        for (const [messages, count] of counts) measured[bin(messages)] += count;
        if (law) law.probabilities.forEach((share, more) => {
            const place = bin(law.fewest + more);
            if (place >= 0 && place < bins) expected[place] += share * runs;
        });
        const most = Math.max(...measured, ...expected, 1) * 1.06;
        const X = (messages) => left + ((messages - low) / (bins * width)) * (W - left - right);
        const Y = (count) => H - bottom - (count / most) * (H - top - bottom);
        measured.forEach((count, place) => {
            if (!count) return;
            const x = X(low + place * width), wide = X(low + (place + 1) * width) - x;
            make(svg, "rect", { class: "count", x: round(x + 1), y: round(Y(count)), width: round(Math.max(wide - 2, 1)), height: round(Y(0) - Y(count)) });
        });
        if (law) {
            const path = expected.map((count, place) => `${place ? "L" : "M"}${round(X(low + place * width))} ${round(Y(count))}L${round(X(low + (place + 1) * width))} ${round(Y(count))}`);
            make(svg, "path", { class: "exact", d: path.join("") });
        }
        for (const { name, value } of facts) {
            // A number of messages stands in the middle of its bar.
            const x = X(value + 0.5);
            if (x < left || x > W - right) continue;
            make(svg, "line", { class: "mark", x1: round(x), x2: round(x), y1: top - 8, y2: H - bottom });
            make(svg, "text", { x: round(Math.min(Math.max(x, left + 30), W - right - 40)), y: top - 14, "text-anchor": "middle" }, name);
        }
        make(svg, "line", { class: "frame", x1: left, x2: W - right, y1: H - bottom, y2: H - bottom });
        make(svg, "line", { class: "frame", x1: left, x2: left, y1: top, y2: H - bottom });
        const step = stride(high - low);
        for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) make(svg, "text", { x: round(X(tick + 0.5)), y: H - bottom + 26, "text-anchor": "middle" }, tick);
        const up = stride(most);
        for (let tick = 0; tick <= most; tick += up) make(svg, "text", { x: left - 8, y: round(Y(tick) + 8), "text-anchor": "end" }, tick);
        make(svg, "text", { x: (W + left) / 2, y: H - 8, "text-anchor": "middle" }, "messages");
        svg.setAttribute("aria-label", `Histogram of the messages of ${runs} elections, from ${Math.min(...seen)} to ${Math.max(...seen)}`);
        const key = find("key");
        key.replaceChildren();
        const say = (name, text) => { const item = make(key, "li"); make(item, "i", { class: name }); item.append(text); };
        say("count", `${runs} elections`);
        if (law) say("exact", "exact distribution");
        if (facts.length) say("mark", "theory");
    }
    // Best, mean and worst of theory under what was measured.
    function beside(counts, runs, mean, error, facts) {
        const row = (id, name, cells) => {
            const line = find(id);
            line.replaceChildren();
            make(line, "th", { scope: "row" }, name);
            for (const [text, small] of cells) {
                const cell = make(line, "td", {}, text);
                if (small) make(cell, "small", {}, small);
            }
        };
        const seen = [...counts.keys()];
        row("measured", `${runs} elections`, [[Math.min(...seen)], [`${mean.toFixed(2)} ± ${error.toFixed(2)}`], [Math.max(...seen)]]);
        const fact = (name) => {
            const found = facts.find((one) => one.name === name);
            if (!found) return ["not known"];
            return [name === "mean" ? found.value.toFixed(2) : found.text, found.formula];
        };
        row("theory", "theory", [fact("best"), fact("mean"), fact("worst")]);
    }

    form.addEventListener("submit", (event) => { event.preventDefault(); one(); });
    // What is seen follows the form.
    form.addEventListener("change", () => {
        fit();
        if (form.checkValidity()) (find("many").hidden ? one : thousand)();
    });
    find("another").addEventListener("click", () => {
        find("run").value = Number(find("run").value) + 1;
        one();
    });
    find("thousand").addEventListener("click", thousand);

    load().then(() => {
        algorithms = new Map(ask({ ask: "list" }).algorithms.map((one) => [one.name, one]));
        offer();
        recall();
        one(true);
        document.body.dataset.ready = "yes";
    }).catch((error) => { find("wrong").textContent = `the program does not start: ${error.message}`; });
    return { ask };
})();
