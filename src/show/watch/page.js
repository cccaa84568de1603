"use strict";
// Elements; text is always text.
const SVG = "http://www.w3.org/2000/svg";
const make = (parent, name, attributes = {}, text) => {
    const svg = parent.namespaceURI === SVG || name === "svg";
    const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
};
const round = (number) => Math.round(number * 10) / 10;

// One election, or two beside each other, step by step. Whatever is seen is a function of the step alone,
// so going back shows what was there before. Who calls it again shows another one in the same place.
let watched = new AbortController();
function watch(data) {
    // What the one before listens to.
    watched.abort();
    watched = new AbortController();
    const { signal } = watched;
    const find = (id) => document.getElementById(id);
    const still = matchMedia("(prefers-reduced-motion: reduce)");

    const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

    // A shape of radius 1 for every kind of message, so that colour is never all that tells them apart.
    const corners = (count, turn, inner = 1.2) => {
        const points = [];
        for (let i = 0; i < count; i++) {
            const angle = (i / count + turn) * 2 * Math.PI;
            const radius = i % 2 ? inner : 1.2;
            points.push([radius * Math.sin(angle), -radius * Math.cos(angle)]);
        }
        return points;
    };
    const SHAPES = [null, corners(4, 0.125), corners(3, 0), corners(4, 0), corners(3, 0.5), corners(6, 0), corners(10, 0, 0.6), corners(5, 0)];
    const shape = (kind, radius) => {
        const points = SHAPES[kind % SHAPES.length];
        if (!points) return `M${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
        return "M" + points.map(([x, y]) => `${round(x * radius * 1.15)} ${round(y * radius * 1.15)}`).join("L") + "z";
    };
    // Undecided a circle, a follower a square, the leader a star.
    const nodeShape = (status, radius) => {
        if (status === 1) { const a = radius * 0.88; return `M${-a} ${-a}h${2 * a}v${2 * a}h${-2 * a}z`; }
        if (status === 2) return "M" + corners(16, 0, 0.98).map(([x, y]) => `${round(x * radius * 1.12)} ${round(y * radius * 1.12)}`).join("L") + "z";
        return shape(0, radius);
    };
    const STATUS = ["undecided", "follower", "leader"];
    const brief = (id) => (id.length > 5 ? "…" + id.slice(-3) : id);

    // What an animated panel knows about every message and every node.
    function prepare(panel) {
        panel.messages_ = [];
        panel.sum = [0];
        panel.byNode = panel.ids.map(() => []);
        panel.events.forEach((event, number) => {
            const [, , node, cause, , , sent] = event;
            panel.byNode[node].push(number);
            if (cause >= 0) panel.messages_[cause].received = number;
            for (const [to, port, mail] of sent) {
                panel.messages_.push({ number: panel.messages_.length, sent: number, received: Infinity, from: node, to, port, mail: panel.mails[mail] });
            }
            panel.sum.push(panel.messages_.length);
        });
        panel.steps = panel.events.length;
    }
    // The last event of a node before a step, or -1.
    const lastBefore = (list, step) => {
        let low = 0, high = list.length;
        while (low < high) { const middle = (low + high) >> 1; if (list[middle] < step) low = middle + 1; else high = middle; }
        return low ? list[low - 1] : -1;
    };
    const stateOf = (panel, node, step) => {
        const event = lastBefore(panel.byNode[node], step);
        return event < 0 ? panel.first[node] : panel.events[event][4];
    };
    // All that happened before an event, itself included, and the messages that brought it.
    function past(panel, event) {
        const events = new Set(), messages = new Set(), open = [event];
        while (open.length) {
            const one = open.pop();
            if (one < 0 || events.has(one)) continue;
            events.add(one);
            const [, , node, cause] = panel.events[one];
            open.push(lastBefore(panel.byNode[node], one));
            if (cause >= 0) { messages.add(cause); open.push(panel.messages_[cause].sent); }
        }
        return { events, messages };
    }

    // The network: nodes in a circle, or where the page's maker has put them.
    function network(panel, parent) {
        const n = panel.ids.length;
        const svg = make(parent, "svg", { viewBox: "-220 -212 440 424", role: "img", class: "network", "aria-label": `The network of ${panel.name}` });
        const R = 165;
        const at = (node, radius = R) => {
            if (!panel.ring) return panel.positions[node].map((c) => c * 180);
            const angle = (node / n) * 2 * Math.PI;
            return [radius * Math.sin(angle), -radius * Math.cos(angle)];
        };
        let gap = panel.ring ? (n > 1 ? 2 * R * Math.sin(Math.PI / n) : 300) : 400;
        if (!panel.ring) for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) gap = Math.min(gap, Math.hypot(at(a)[0] - at(b)[0], at(a)[1] - at(b)[1]));
        const radius = clamp(gap * 0.27, 4, 27);
        const links = make(svg, "g");
        if (panel.ring) make(links, "circle", { class: "link", r: R });
        else for (const [a, b] of panel.edges) {
            const [[x1, y1], [x2, y2]] = [at(a), at(b)];
            make(links, "line", { class: "link", x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2) });
        }
        const longest = Math.max(...panel.ids.map((id) => brief(id).length));
        const size = clamp((radius * 2.3) / Math.max(longest, 2), 9, 26);
        const outside = size < 13 || radius < 11;
        const nodes = panel.ids.map((id, node) => {
            const [x, y] = at(node);
            const group = make(svg, "g", { transform: `translate(${round(x)} ${round(y)})` });
            const title = make(group, "title");
            make(group, "circle", { class: "halo", r: radius + 6 });
            const body = make(group, "path", { class: "shape" });
            const [lx, ly] = outside && panel.ring ? [at(node, R + radius + 13)[0] - x, at(node, R + radius + 13)[1] - y] : [0, outside ? -radius - 8 : 0];
            make(group, "text", { x: round(lx), y: round(ly), "font-size": round(outside ? 11 : size) }, brief(id));
            return { group, body, title };
        });
        const tokens = make(svg, "g");
        const small = clamp(radius * (panel.ring ? 0.6 : 0.45), 4, 15);
        const apart = clamp((2 * small) / Math.max(gap - 2 * (radius + small), 1), 0.05, 0.5);
        const place = (message, part) => {
            if (panel.ring) {
                const edge = n > 1 ? clamp((radius + small) / gap, 0.1, 0.42) : 0.1;
                const turn = (edge + part * (1 - 2 * edge)) * (message.port === 1 ? 1 : -1);
                const off = panel.both ? (message.port === 1 ? 1 : -1) * (small + 1) : 0;
                return at(message.from + turn, R + off);
            }
            const [[x1, y1], [x2, y2]] = [at(message.from), at(message.to)];
            const length = Math.hypot(x2 - x1, y2 - y1) || 1;
            const edge = clamp((radius + small) / length, 0.05, 0.42);
            const f = edge + part * (1 - 2 * edge), off = small * 0.7;
            return [x1 + (x2 - x1) * f - ((y2 - y1) / length) * off, y1 + (y2 - y1) * f + ((x2 - x1) / length) * off];
        };
        return (step, exact, chosen) => {
            const active = step > 0 ? panel.events[step - 1][2] : -1;
            nodes.forEach(({ group, body, title }, node) => {
                const [words, status, awake, passive] = panel.states[stateOf(panel, node, step)];
                const looks = awake ? (passive && !status ? " passive" : "") : " asleep";
                group.setAttribute("class", `node ${STATUS[status]}${looks}${node === active ? " active" : ""}`);
                body.setAttribute("d", nodeShape(status, passive && !status ? radius * 0.86 : radius));
                title.textContent = `${panel.ids[node]}: ${STATUS[status]}, ${words}`;
            });
            const flying = panel.messages_.filter((m) => m.sent < step && m.received >= step);
            tokens.replaceChildren();
            const behind = new Map();
            for (const message of flying) {
                const end = message.received === Infinity ? panel.steps + 1 : message.received;
                // Who follows over the same link keeps its distance.
                const link = `${message.from} ${message.port}`;
                const most = behind.has(link) ? behind.get(link) : 1;
                const part = clamp((exact - message.sent - 1) / Math.max(1, end - message.sent), 0, Math.max(most, 0));
                behind.set(link, part - apart);
                const [x, y] = place(message, part);
                const [kind, words, label] = message.mail;
                const before = chosen && (chosen.messages.has(message.number) || chosen.number === message.number);
                const token = make(tokens, "g", { class: `token k${kind}${before ? " before" : ""}`, "data-number": message.number, transform: `translate(${round(x)} ${round(y)})` });
                make(token, "title", {}, `${words} from ${panel.ids[message.from]} to ${panel.ids[message.to]}`);
                make(token, "path", { d: shape(kind, small) });
                const text = brief(label);
                if (small >= 7 && text.length <= 3) make(token, "text", { "font-size": round(Math.min(small * 1.15, (small * 2.4) / text.length)) }, text);
            }
        };
    }

    // The space-time diagram: a line for each node, time to the right.
    function spaceTime(panel, parent) {
        const [W, H] = data.panels.length > 1 ? [600, 290] : [600, 432];
        const svg = make(parent, "svg", { viewBox: `0 0 ${W} ${H}`, role: "img", class: "spacetime", "aria-label": `The space-time diagram of ${panel.name}` });
        const names = panel.ids.map(brief);
        if (panel.ring) names.push(names[0]);
        const rows = names.length;
        const high = (H - 44) / Math.max(rows - 1, 1), top = rows > 1 ? 18 : H / 2;
        const size = clamp(high * 0.75, data.panels.length > 1 ? 18 : 16, 22);
        const each = Math.ceil((size * 1.02) / high);
        const left = Math.max(...names.map((name) => name.length)) * size * 0.7 + 16;
        const room = W - left - 14;
        const wide = clamp(room / panel.width, 14, 84);
        const X = (event) => event[0] * wide + 12;
        const Y = (row) => top + row * high;
        const total = panel.width * wide + 12;
        const window_ = make(svg, "svg", { x: round(left), y: 0, width: round(W - left), height: H, viewBox: `0 0 ${round(W - left)} ${H}` });
        const moving = make(window_, "g");
        names.forEach((name, row) => {
            const again = panel.ring && row === rows - 1 ? " again" : "";
            if (row % each === 0 || (again && (rows - 1) % each === 0)) make(svg, "text", { class: "label" + again, x: round(left - 8), y: round(Y(row) + size * 0.35), "text-anchor": "end", "font-size": round(size) }, name);
            make(moving, "line", { class: "axis" + again, x1: 0, x2: round(total), y1: round(Y(row)), y2: round(Y(row)) });
        });
        make(svg, "text", { class: "label again", x: W - 10, y: H - 6, "text-anchor": "end", "font-size": 15 }, panel.clock === "step" ? "one after the other →" : `${panel.clock} →`);
        const last = panel.ids.length - 1;
        const labelled = wide >= 26 && high >= 22 && panel.messages_.length <= (panel.ring ? 400 : 40);
        const lines = panel.messages_.map((message) => {
            const row1 = panel.ring && message.port === 0 && message.from === 0 ? last + 1 : message.from;
            const row2 = panel.ring && message.port === 1 && message.from === last ? last + 1 : message.to;
            const [x1, y1] = [X(panel.events[message.sent]), Y(row1)];
            const [x2, y2] = [message.received === Infinity ? total : X(panel.events[message.received]), Y(row2)];
            const [kind, words, label] = message.mail;
            const group = make(moving, "g", { "data-number": message.number });
            make(group, "title", {}, `${words} from ${panel.ids[message.from]} to ${panel.ids[message.to]}`);
            const ends = { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2) };
            make(group, "line", { class: "hit", ...ends });
            make(group, "line", ends);
            const length = Math.hypot(x2 - x1, y2 - y1) || 1;
            const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
            const head = clamp(high * 0.35, 4, 11), tip = Math.min(5, head / 2);
            const point = (along, across) => `${round(x2 - ux * along - uy * across)},${round(y2 - uy * along + ux * across)}`;
            make(group, "polygon", { points: `${point(tip, 0)} ${point(tip + head, head * 0.45)} ${point(tip + head, -head * 0.45)}` });
            if (labelled) make(group, "text", { x: round(x1 + (x2 - x1) * 0.36 + 5), y: round(y1 + (y2 - y1) * 0.36), "font-size": round(clamp(high * 0.42, 11, 17)) }, brief(label));
            return group;
        });
        const dots = panel.events.map((event) => {
            const rowsOf = panel.ring && event[2] === 0 ? [0, last + 1] : [event[2]];
            return rowsOf.map((row) => make(moving, "circle", { cx: round(X(event)), cy: round(Y(row)), r: event[7] === 2 ? 8 : clamp(high * 0.12, 2, 5) }));
        });
        const cursor = make(moving, "line", { class: "time", y1: 0, y2: H });
        return (step, chosen) => {
            const x = step > 0 ? X(panel.events[step - 1]) : 2;
            const shift = total <= W - left ? 0 : clamp(x - (W - left) * 0.6, 0, total - (W - left));
            moving.setAttribute("transform", `translate(${round(-shift)} 0)`);
            cursor.setAttribute("x1", round(x));
            cursor.setAttribute("x2", round(x));
            moving.setAttribute("class", chosen ? "chosen" : "whole");
            panel.messages_.forEach((message, number) => {
                const when = message.sent >= step ? "future" : message.received >= step ? "flying" : "done";
                const before = chosen && (chosen.messages.has(number) || chosen.number === number) ? " before" : "";
                const picked = chosen && chosen.number === number ? " picked" : "";
                const name = `message k${message.mail[0]} ${when}${before}${picked}`;
                if (lines[number].getAttribute("class") !== name) lines[number].setAttribute("class", name);
            });
            dots.forEach((pair, number) => {
                const name = `event${number >= step ? " future" : ""}${panel.events[number][7] === 2 ? " leader" : ""}${number === step - 1 ? " active" : ""}${chosen && chosen.events.has(number) ? " before" : ""}`;
                for (const dot of pair) if (dot.getAttribute("class") !== name) dot.setAttribute("class", name);
            });
        };
    }

    // Too much to follow: how many messages were received where and when.
    function density(panel, parent) {
        const { rows, columns, shades, nodes, times } = panel.density;
        const [W, H, left, top] = [1000, 520, 130, 16];
        const svg = make(parent, "svg", { viewBox: `0 0 ${W} ${H}`, role: "img", class: "heatmap", "aria-label": `Messages received by node and time of ${panel.name}` });
        const [wide, high] = [(W - left - 14) / columns, (H - top - 50) / rows];
        const group = make(svg, "g", { transform: `translate(${left} ${top}) scale(${wide} ${high})` });
        shades.forEach((path, shade) => make(group, "path", { class: "heat", d: path, opacity: round((shade + 1.5) / (shades.length + 0.5) * 10) / 10 }));
        const label = (x, y, anchor, text) => make(svg, "text", { class: "label", x, y, "text-anchor": anchor, "font-size": 26 }, text);
        label(left - 10, top + 16, "end", nodes[0]);
        label(left - 10, H - 54, "end", nodes[1]);
        label(left - 10, top + (H - top - 50) / 2, "end", "node ↓");
        label(left, H - 16, "start", "0");
        label(W - 14, H - 16, "end", `${panel.clock} ${times[times.length - 1]} →`);
        const cursor = make(svg, "line", { class: "time", y1: 0, y2: H - 44 });
        return (step) => { for (const end of ["x1", "x2"]) cursor.setAttribute(end, round(left + step * wide)); };
    }

    // Messages so far beside what theory says.
    function head(panel, parent) {
        const line = make(parent, "div", { class: "head" });
        if (data.panels.length > 1) make(line, "h2", {}, panel.name);
        const sum = make(line, "span", { class: "sum" });
        const most = Math.max(panel.messages, 1, ...panel.facts.map((fact) => fact.value)) * 1.02;
        const svg = make(line, "svg", { class: "bar", viewBox: "0 0 300 28", preserveAspectRatio: "none", "aria-hidden": "true" });
        make(svg, "rect", { class: "track", x: 0, y: 7, width: 300, height: 14 });
        const part = make(svg, "rect", { class: "part", x: 0, y: 7, height: 14 });
        for (const fact of panel.facts) make(svg, "line", { class: "tick", x1: round((fact.value / most) * 300), x2: round((fact.value / most) * 300), y1: 0, y2: 28 });
        const facts = make(line, "ul", { class: "facts", "aria-label": "Messages in theory" });
        for (const fact of panel.facts) make(facts, "li", { title: fact.formula }, `${fact.name} ${fact.text}`);
        const kinds = panel.density ? null : make(parent, "ul", { class: "kinds", "aria-label": "Kinds of messages" });
        panel.kinds.forEach((name, kind) => {
            if (!kinds) return;
            const item = make(kinds, "li", { class: `k${kind}` });
            make(make(item, "svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }), "path", { d: shape(kind, 9) });
            make(item, "span", {}, name);
        });
        return (count) => {
            sum.replaceChildren();
            make(sum, "span", {}, `${count} `);
            make(sum, "small", {}, `of ${panel.messages} messages`);
            part.setAttribute("width", round((count / most) * 300));
        };
    }

    // Every node's state, and all events as a list, for whoever reads and does not look.
    function lists(panel, parent) {
        const two = data.panels.length > 1 ? ` of ${panel.name}` : "";
        if (panel.violation) make(parent, "p", { class: "bad" }, `It went wrong: ${panel.violation}`);
        const algorithm = () => {
            make(parent, "h2", {}, `The algorithm${two}`);
            make(parent, "p", {}, `${panel.name}: ${panel.summary} (${panel.source}). Rule: ${panel.rule}.`);
            if (!panel.pseudocode.length) return [];
            const page = make(parent, "pre", { tabindex: "0" });
            return panel.pseudocode.map((line) => { const made = make(page, "span", {}, line); page.append("\n"); return made; });
        };
        if (panel.density) { algorithm(); return () => {}; }
        make(parent, "h2", {}, `States${two}`);
        const states = make(parent, "ul", { class: "states" });
        const items = panel.ids.map((id) => {
            const item = make(states, "li");
            make(item, "b", {}, id);
            return { item, status: make(item, "span"), words: make(item, "span", { class: "words" }) };
        });
        const code = algorithm();
        const details = make(parent, "details");
        make(details, "summary", {}, `All ${panel.steps} events${two} as text`);
        const list = make(details, "ol", { class: "events" });
        let entries = [];
        let now = 0;
        const mark = () => entries.forEach((link, number) => {
            if (number === now - 1) link.setAttribute("aria-current", "step");
            else link.removeAttribute("aria-current");
        });
        details.addEventListener("toggle", () => {
            if (!details.open || entries.length) return;
            entries = panel.events.map((event, number) => {
                const link = make(make(list, "li"), "a", { href: "#" }, `${event[1] ? `${panel.clock} ${event[1]}: ` : ""}${event[5]}`);
                link.addEventListener("click", (click) => { click.preventDefault(); go(globalStep(panel, number + 1)); });
                return link;
            });
            mark();
        });
        return (step) => {
            const active = step > 0 ? panel.events[step - 1][2] : -1;
            const fired = step > 0 ? panel.events[step - 1][8] : null;
            code.forEach((line, number) => {
                if (number === fired) line.setAttribute("aria-current", "step");
                else line.removeAttribute("aria-current");
            });
            items.forEach(({ item, status, words }, node) => {
                const [text, fate, awake] = panel.states[stateOf(panel, node, step)];
                item.setAttribute("class", `${STATUS[fate]}${node === active ? " active" : ""}`);
                status.textContent = ` ${awake ? STATUS[fate] : "asleep"}`;
                words.textContent = text;
            });
            now = step;
            mark();
        };
    }

    // Both elections on one clock: whose event each step is, and how far each has come.
    const panels = data.panels;
    const order = data.order;
    const far = [panels.map(() => 0)];
    const dense = Boolean(panels[0].density);
    if (dense) for (const panel of panels) panel.steps = panel.density.columns;
    else panels.forEach(prepare);
    if (order) for (const who of order) { const next = far[far.length - 1].slice(); next[who]++; far.push(next); }
    const steps = order ? order.length : Math.max(...panels.map((panel) => panel.steps));
    const reached = (panel, step) => (order ? far[step][panels.indexOf(panel)] : Math.min(step, panel.steps));
    const globalStep = (panel, own) => {
        if (!order) return own;
        const who = panels.indexOf(panel);
        return far.findIndex((one) => one[who] === own);
    };

    find("panels").replaceChildren();
    find("more").replaceChildren();
    document.body.classList.toggle("two", panels.length > 1);
    document.body.classList.toggle("dense", dense);
    find("title").textContent = data.title;
    find("setting").textContent = data.setting;
    find("command").textContent = data.command;
    const views = panels.map((panel) => {
        const section = make(find("panels"), "section", { "aria-label": panel.name });
        const update = { head: head(panel, section) };
        const pictures = make(section, "div", { class: "pictures" });
        if (dense) update.density = density(panel, pictures);
        else {
            update.network = network(panel, pictures);
            update.spaceTime = spaceTime(panel, pictures);
            pictures.addEventListener("click", (event) => {
                const hit = event.target.closest("[data-number]");
                choose(hit ? panel : null, hit ? Number(hit.dataset.number) : -1);
            });
        }
        update.lists = lists(panel, make(find("more"), "section", { "aria-label": `${panel.name} in words` }));
        return update;
    });

    // The step, what is chosen, and whether it moves.
    let step = 0, exact = 0, playing = false, before = 0, written = 0, chosen = null;

    function sentence(parent, panel, own) {
        const event = panel.events[own - 1];
        if (panels.length > 1) make(parent, "b", {}, `${panel.name}: `);
        if (event[1]) make(parent, "b", {}, `${panel.clock} ${event[1]}: `);
        make(parent, "span", {}, event[5]);
    }
    // The line of the pseudocode that it is, where that is known.
    function fired(parent, panel, own) {
        const number = panel.events[own - 1][8];
        if (number === null) return;
        // With what it is an answer to, where that stands in a line above.
        const above = panel.pseudocode.slice(0, number + 1).reverse();
        const indented = /^ {8,}/.test(above[0]);
        const head = indented ? (above.map((line) => /^ *(on <[^>]*>:)/.exec(line)).find(Boolean)?.[1] ?? "") : "";
        make(parent, "code", { class: "fired" }, `${head} ${above[0]}`.trim().replace(/ {2,}/g, " "));
    }
    function told() {
        const now = find("now");
        now.replaceChildren();
        if (chosen) {
            const message = chosen.panel.messages_[chosen.number];
            const [, words] = message.mail;
            const [events, count] = [chosen.events.size, chosen.messages.size];
            make(now, "span", {}, `${words} from ${chosen.panel.ids[message.from]} to ${chosen.panel.ids[message.to]}: ${count} message${count === 1 ? "" : "s"} and ${events} event${events === 1 ? "" : "s"} had to come before it.`);
        } else if (dense) {
            const { times, sums } = panels[0].density;
            make(now, "span", {}, step === 0 ? "Too much to follow one by one: the darker, the more messages arrived." : `Up to ${panels[0].clock} ${times[step - 1]}: ${sums[step - 1]} messages arrived.`);
        } else if (step === 0) {
            make(now, "span", {}, data.opening);
        } else {
            const panel = order ? panels[order[step - 1]] : panels[0];
            sentence(now, panel, reached(panel, step));
            if (step === steps) for (const one of panels) make(now, "b", {}, one.violation ? `. ${one.violation}` : one.leader === null ? ". Nobody leads" : `. ${panels.length > 1 ? one.name + ": " : ""}${one.leader} leads after ${one.messages} messages`);
            fired(now, panel, reached(panel, step));
        }
    }
    function draw() {
        panels.forEach((panel, number) => {
            const own = reached(panel, step), view = views[number];
            const mine = chosen && chosen.panel === panel ? chosen : null;
            if (dense) {
                view.density(own);
                view.head(own ? panel.density.sums[own - 1] : 0);
                return;
            }
            const mid = order ? own : clamp(exact, own, own + 1);
            view.network(own, mid, mine);
            view.spaceTime(own, mine);
            view.head(panel.sum[own]);
            view.lists(own);
        });
        told();
        find("place").value = step;
        find("place").setAttribute("aria-valuetext", `step ${step} of ${steps}`);
        find("count").textContent = `${step} / ${steps}`;
    }
    function remember() {
        // Other words may stand beside it.
        const words = new URLSearchParams(location.hash.slice(1));
        if (words.get("step") === String(step)) return;
        words.set("step", step);
        history.replaceState(null, "", `#${words}`);
    }
    function go(to, pause = true) {
        if (pause) halt();
        step = clamp(Math.round(to), 0, steps);
        exact = step;
        chosen = null;
        draw();
        remember();
    }
    function halt() {
        playing = false;
        find("play").textContent = "Play";
        find("now").setAttribute("aria-live", "polite");
    }
    const perSecond = () => 2 ** Number(find("speed").value);
    function frame(time) {
        if (!playing || signal.aborted) return;
        // The first frame may have begun before the key was pressed.
        exact = Math.min(exact + (Math.max(time - before, 0) / 1000) * perSecond(), steps);
        before = time;
        const moved = Math.floor(exact) !== step;
        step = Math.floor(exact);
        if (moved || !still.matches) draw();
        if (step >= steps) { halt(); exact = step; draw(); remember(); return; }
        // Browsers allow only so many changes of the address.
        if (time - written > 1000) { written = time; remember(); }
        requestAnimationFrame(frame);
    }
    function toggle() {
        if (playing) { halt(); go(step); return; }
        if (step >= steps) go(0);
        playing = true;
        chosen = null;
        exact = step;
        find("play").textContent = "Pause";
        // A reader of screens would be told every step of it.
        find("now").setAttribute("aria-live", "off");
        before = performance.now();
        requestAnimationFrame(frame);
    }
    function choose(panel, number) {
        halt();
        exact = step;
        chosen = panel && !(chosen && chosen.panel === panel && chosen.number === number) ? { panel, number, ...past(panel, panel.messages_[number].sent) } : null;
        draw();
    }
    function chooseNow() {
        if (dense || step === 0) return;
        const panel = order ? panels[order[step - 1]] : panels[0];
        const cause = panel.events[reached(panel, step) - 1][3];
        if (cause >= 0) choose(panel, cause);
    }

    const on = (element, event, act) => element.addEventListener(event, act, { signal });
    const place = find("place");
    place.max = steps;
    on(place, "input", () => go(Number(place.value)));
    on(find("first"), "click", () => go(0));
    on(find("back"), "click", () => go(step - 1));
    on(find("play"), "click", toggle);
    on(find("next"), "click", () => go(step + 1));
    on(find("last"), "click", () => go(steps));
    find("speed").value = clamp(Math.round(Math.log2(steps / 40)), 0, 8);
    on(document, "keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const target = event.target;
        // Who types or chooses means something else by these keys.
        if (target.closest("select, textarea, input:not([type=range])")) return;
        const slides = target.tagName === "INPUT", presses = target.closest("button, summary, a[href]");
        const key = event.key;
        const jump = { ArrowRight: step + 1, ArrowLeft: step - 1, PageDown: step + 10, PageUp: step - 10, Home: 0, End: steps }[key];
        if (key === " " && !presses) toggle();
        else if (jump !== undefined && !(slides && target !== place)) go(jump);
        else if (key === "c" || key === "C") chooseNow();
        else if (key === "Escape") choose(null, -1);
        else return;
        event.preventDefault();
    });
    on(window, "hashchange", fromHash);
    function fromHash() {
        const found = new URLSearchParams(location.hash.slice(1)).get("step");
        if (/^\d+$/.test(found ?? "") && Number(found) !== step) go(Number(found));
    }

    // The picture as it is, with all colours written into it.
    const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline", "paint-order"];
    function picture() {
        const outer = document.createElementNS(SVG, "svg");
        let x = 0, high = 0;
        for (const svg of document.querySelectorAll(".pictures > svg")) {
            const copy = svg.cloneNode(true);
            const all = [svg, ...svg.querySelectorAll("*")], copies = [copy, ...copy.querySelectorAll("*")];
            all.forEach((one, number) => {
                const style = getComputedStyle(one);
                if (one.tagName !== "title") copies[number].setAttribute("style", KEPT.map((key) => `${key}:${style.getPropertyValue(key)}`).join(";"));
            });
            const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
            for (const [key, value] of Object.entries({ x, y: 0, width, height })) copy.setAttribute(key, value);
            outer.append(copy);
            x += width + 10;
            high = Math.max(high, height);
        }
        for (const [key, value] of Object.entries({ xmlns: SVG, viewBox: `0 0 ${x} ${high}`, width: x, height: high })) outer.setAttribute(key, value);
        outer.setAttribute("style", `background:${getComputedStyle(document.body).backgroundColor}`);
        return new XMLSerializer().serializeToString(outer);
    }
    on(find("export"), "click", () => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([picture()], { type: "image/svg+xml" }));
        link.download = `${panels.map((panel) => panel.name).join("-")}-${step}.svg`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });

    halt();
    draw();
    fromHash();
}
