"use strict";
// What a report does beyond what HTML does by itself: sorts and filters tables, and shows what a cell rests on. Everything it shows stands in the page already. Text of the bundle is only ever
// set as text.
(() => {
	const root = document.documentElement;
	const data = document.getElementById("trail");
	const trail = data ? JSON.parse(data.textContent) : {sets: "", tables: {}};
	const sets = trail.sets.split("|");
	const SHOWN = 100; // records at first
	const CHOICES = {model: "model", arch: "architecture", task: "task", definition: "task", evidence: "evidence", outcome: "outcome"};

	root.classList.add("script");

	const make = (name, text, attributes) => {
		const element = document.createElement(name);

		if (text !== undefined)
			element.textContent = text;
		for (const key in attributes || {})
			element.setAttribute(key, attributes[key]);
		return element;
	};
	const link = (id, text) => make("a", text, {href: "#" + id});

	// What stands in a cell, without marks that are for the eye.
	const textOf = (cell) => {
		const mark = cell.querySelector("[aria-hidden]");
		const text = (mark ? cell.textContent.slice(mark.textContent.length) : cell.textContent).trim();

		return cell.classList.contains("d") && text === "∅" ? "" : text; // there so that a link to a difference has something to show
	};

	// runner/report/trail.h says how sets are written.
	const decode = (text) => {
		const ids = [];
		let last = 0;

		for (const run of text === "" ? [] : text.split(",")) {
			const [skipped, more] = run.split(".");
			let id = last + parseInt(skipped, 36) + 1;

			for (let left = more ? parseInt(more, 36) : 0; left >= 0; left--)
				ids.push(id++);
			last = id - 1;
		}
		return ids;
	};
	const decodePlaces = (text) => text.split(",").map((place) => {
		const [file, line] = place.slice(1).split("-");

		return {file: parseInt(file, 36), line: line ? parseInt(line, 36) : 1};
	});

	// ---- what a cell rests on ----

	const panel = make("aside", undefined, {id: "evidence", role: "region", "aria-labelledby": "evidence-title", tabindex: "-1", hidden: ""});
	let chosen = null;

	document.body.append(panel);

	const close = () => {
		if (!chosen)
			return;
		panel.hidden = true;
		document.body.classList.remove("opened");
		chosen.classList.remove("chosen");
		chosen.focus();
		chosen = null;
	};

	const fact = (list, name, ...values) => {
		const value = make("dd");

		value.append(...values);
		list.append(make("dt", name), value);
	};

	// "9–16, 20": the number at that place.
	const lineAt = (text, place) => {
		for (const range of text.split(", ")) {
			const [first, last] = range.split("–").map(Number);
			const count = (last || first) - first + 1;

			if (place < count)
				return first + place;
			place -= count;
		}
		return "";
	};

	const turnRow = (id) => {
		const cell = document.getElementById("t" + id);
		const row = cell.parentNode;
		const last = row.cells.length - 1;
		const run = cell.closest("details.run");
		const out = make("tr");
		const add = (content, number) => {
			const td = make("td");

			td.append(content);
			if (number)
				td.className = "n";
			out.append(td);
		};

		add(link(run.querySelector("p").id, run.querySelector("summary b").textContent));
		add(row.cells[0].textContent);
		add(String(cell.cellIndex - 1));
		add(link(cell.id, cell.textContent));
		add(String(lineAt(row.cells[last - 1].textContent, cell.cellIndex - 1)));
		add(String(lineAt(row.cells[last].textContent, cell.cellIndex - 1)));
		return out;
	};

	const head = (table, names) => {
		const row = table.createTHead().insertRow();

		for (const name of names)
			row.append(make("th", name, {scope: "col"}));
		return table.createTBody();
	};
	// Its rows in steps, for there can be thousands.
	const fill = (body, items, row) => {
		const more = make("button", "show all " + items.length, {type: "button"});

		for (const item of items.slice(0, SHOWN))
			body.append(row(item));
		more.addEventListener("click", () => {
			for (const item of items.slice(SHOWN))
				body.append(row(item));
			more.remove();
		});
		return items.length > SHOWN ? more : "";
	};

	const fileRow = (place) => {
		const row = document.getElementById("f" + place.file);
		const out = make("tr");
		const name = make("td");
		const [path, hash, voucher] = row.cells;

		name.append(link(row.id, path.textContent));
		out.append(name);
		if (place.line !== undefined)
			out.append(make("td", String(place.line)));
		out.append(hash.cloneNode(true), voucher.cloneNode(true));
		return out;
	};

	const scroll = (table, label) => {
		const box = make("div", undefined, {class: "scroll", tabindex: "0", role: "region", "aria-label": label});

		box.append(table);
		return box;
	};
	const showTurns = (ids) => {
		const table = make("table", undefined, {class: "n2 n3 n5 n6"});
		const more = fill(head(table, ["run", "trajectory", "turn", "record", "line", "source line"]), ids, turnRow);

		panel.append(scroll(table, "Turn records"), more);
		const runs = new Set(ids.map((id) => Number(document.getElementById("t" + id).closest("details.run").querySelector("p").id.slice(1))));

		panel.append(make("h3", "Files they stand in"));
		showFiles([...runs].map((run) => ({file: 2 * run + 1})));
	};
	// Lines of files, or whole files: all of them the one or the other.
	const showFiles = (places) => {
		const lines = places[0].line !== undefined;
		const table = make("table", undefined, {class: lines ? "files n2" : "files"});
		const more = fill(head(table, ["file", ...(lines ? ["line"] : []), "SHA-256", "vouched for by"]), places, fileRow);

		panel.append(scroll(table, "Files"), more);
	};

	// What was published for the cell: a sentence, and where its difference is told of.
	const published = (table, row, column, cell) => {
		const rows = table.published[column];
		const difference = cell.querySelector("a[href^='#d']");

		if (difference) {
			const told = document.querySelector(difference.getAttribute("href"));
			const group = told.closest(".why");

			return [group.querySelector(".verdict") ? group.querySelector(".verdict").cloneNode(true) : "unknown difference", ": published ", told.cells[2].textContent, ", derived ",
				told.cells[3].textContent, ". ", group.querySelector(".reason").textContent.trim(), told.cells[4].textContent, " (", link(told.id, "in its list"), ")"];
		}
		if (rows === 0 || (rows !== 1 && !decode(rows).includes(row + 1)))
			return ["no such cell was published"];
		return ["= SAME: published as ", textOf(cell) === "" ? "empty" : textOf(cell)];
	};

	const show = (cell) => {
		const row = cell.parentNode;
		const element = cell.closest("table.derived");
		const name = element.dataset.t;
		const table = trail.tables[name];
		const column = cell.cellIndex;
		const section = table.section[column];
		const names = element.tHead.rows[0].cells;
		const rowName = table.key.map((c) => textOf(row.cells[c])).join("/");
		const meaning = element.closest("details").querySelectorAll("dl.columns dd")[column];
		const list = make("dl");
		const shut = make("button", "Close", {type: "button", class: "close"});

		close();
		chosen = cell;
		cell.classList.add("chosen");
		panel.replaceChildren(shut, make("h2", rowName + ", " + textOf(names[column]), {id: "evidence-title"}), list);
		shut.addEventListener("click", close);
		fact(list, "value", textOf(cell) === "" ? "none" : textOf(cell));
		fact(list, "table", link("t-" + name, name));
		fact(list, "what it is", meaning.textContent);
		fact(list, "published", ...published(table, row.number, column, cell));
		fact(list, "evidence", element.closest("details").querySelector("summary .grade").cloneNode(true));
		fact(list, "in a terminal", make("code", "ptxseal explain " + name + " '" + rowName + "' " + textOf(names[column])));
		const set = section === 0 ? null : sets[table.sets[section - 1][row.number]];

		if (set === null)
			fact(list, "records", "the column names none of its own: it follows from its row and the query. The row rests on ",
				...[...row.cells[row.cells.length - 1].childNodes].filter((node) => node.nodeName === "A").map((node) => link(node.hash.slice(1), node.textContent)));
		else if (set === "")
			fact(list, "records", "none");
		else if (set[0] === "@") {
			const places = decodePlaces(set);

			fact(list, "records", places.length + (places.length === 1 ? " line of a file" : " lines of files"));
			showFiles(places);
		} else {
			const ids = decode(set);

			fact(list, "records", ids.length + (ids.length === 1 ? " turn" : " turns"));
			showTurns(ids);
		}
		panel.hidden = false;
		document.body.classList.add("opened");
		panel.scrollTop = 0;
		scrollBy(0, Math.max(0, cell.getBoundingClientRect().bottom + 16 - panel.getBoundingClientRect().top));
		panel.focus({preventScroll: true});
	};

	// ---- tables ----

	const numeric = (table, column) => table.classList.contains("n" + (column + 1));
	const collator = new Intl.Collator("en", {numeric: true});

	// Whoever tabs into the table comes to its first cell.
	const restart = (table) => {
		const row = [...table.tBodies[0].rows].find((one) => !one.hidden);

		table.current.tabIndex = -1;
		table.current = row ? row.cells[0] : table.current;
		table.current.tabIndex = row ? 0 : -1;
	};

	const sort = (table, column) => {
		const heads = table.tHead.rows[0].cells;
		const down = heads[column].getAttribute("aria-sort") === "ascending";
		const value = numeric(table, column) ? (row) => parseFloat(textOf(row.cells[column])) : (row) => textOf(row.cells[column]);
		const keyed = [...table.tBodies[0].rows].map((row) => ({row, key: value(row)}));
		const empty = (key) => key === "" || Number.isNaN(key);

		keyed.sort((a, b) => {
			if (empty(a.key) || empty(b.key))
				return empty(a.key) - empty(b.key) || a.row.number - b.row.number; // what has no value stays last
			const order = typeof a.key === "number" ? a.key - b.key : collator.compare(a.key, b.key);

			return (down ? -order : order) || a.row.number - b.row.number;
		});
		for (const head of heads)
			head.removeAttribute("aria-sort");
		heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
		table.tBodies[0].append(...keyed.map((item) => item.row));
		restart(table);
	};

	const filter = (table, tools) => {
		const words = tools.querySelector("input").value.toLowerCase().split(/\s+/).filter(Boolean);
		const choices = [...tools.querySelectorAll("select")].filter((select) => select.value !== "");
		let shown = 0;

		for (const row of table.tBodies[0].rows) {
			const text = words.length > 0 ? row.textContent.toLowerCase() : "";
			const fits = words.every((word) => text.includes(word)) && choices.every((select) => textOf(row.cells[select.column]) === select.value);

			row.hidden = !fits;
			shown += fits ? 1 : 0;
		}
		restart(table);
		tools.querySelector("output").textContent = shown + " of " + table.tBodies[0].rows.length + " rows";
	};

	const addTools = (table) => {
		const tools = make("form", undefined, {class: "tools", role: "search", "aria-label": "Filter " + table.dataset.t});
		const label = make("label", "text in a row");
		const input = make("input", undefined, {type: "search"});
		const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);

		label.append(input);
		tools.append(label);
		heads.forEach((name, column) => {
			if (!Object.hasOwn(CHOICES, name))
				return;
			const values = [...new Set([...table.tBodies[0].rows].map((row) => textOf(row.cells[column])))].sort(collator.compare);
			const choice = make("label", CHOICES[name]);
			const select = make("select");

			if (values.length < 2)
				return;
			select.column = column;
			select.append(new Option("all", ""), ...values.filter(Boolean).map((value) => new Option(value, value)));
			choice.append(select);
			tools.append(choice);
		});
		tools.append(make("output", table.tBodies[0].rows.length + " rows", {"aria-live": "polite"}));
		tools.addEventListener("input", () => filter(table, tools));
		tools.addEventListener("submit", (event) => event.preventDefault());
		table.parentNode.before(tools);
	};

	// One cell at a time can be tabbed to; arrows move.
	const focusCell = (table, cell) => {
		table.current.tabIndex = -1;
		table.current = cell;
		cell.tabIndex = 0;
		cell.focus({preventScroll: true});
		cell.scrollIntoView({block: "nearest", inline: "nearest"}); // focus would leave it half under what stays in sight
	};
	const move = (table, cell, key) => {
		const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
		const row = rows.indexOf(cell.parentNode);
		const column = cell.cellIndex;
		const to = {ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], Home: [row, 0],
			End: [row, cell.parentNode.cells.length - 1], PageUp: [Math.max(row - 15, 0), column], PageDown: [Math.min(row + 15, rows.length - 1), column]}[key];

		if (to && rows[to[0]] && rows[to[0]].cells[to[1]])
			focusCell(table, rows[to[0]].cells[to[1]]);
		return to !== undefined;
	};

	const enhance = (table) => {
		if (!table || table.current) // without rows there is none
			return;
		table.setAttribute("role", "grid");
		[...table.tBodies[0].rows].forEach((row, number) => { row.number = number; });
		[...table.tHead.rows[0].cells].forEach((head, column) => {
			const button = make("button", undefined, {type: "button"});

			button.append(...head.childNodes);
			button.addEventListener("click", () => sort(table, column));
			head.replaceChildren(button);
		});
		for (const anchor of table.querySelectorAll("tbody a"))
			anchor.tabIndex = -1;
		table.current = table.tBodies[0].rows[0].cells[0];
		table.current.tabIndex = 0;
		table.tBodies[0].addEventListener("click", (event) => {
			const cell = event.target.closest("td, th");
			const anchor = event.target.closest("a");

			if (!cell || (anchor && !cell.classList.contains("d")))
				return;
			event.preventDefault();
			choose(table, cell);
		});
		table.tBodies[0].addEventListener("keydown", (event) => {
			const cell = event.target.closest("td, th");

			if (event.key === "Enter" && event.target === cell)
				choose(table, cell);
			else if (event.target !== cell || event.ctrlKey || event.altKey || event.metaKey || !move(table, cell, event.key))
				return;
			event.preventDefault();
		});
		addTools(table);
	};
	// The last column is no column of the table, but a link.
	const choose = (table, cell) => {
		const last = cell.cellIndex === cell.parentNode.cells.length - 1;

		focusCell(table, cell);
		if (!last)
			show(cell);
		else if (cell.querySelector("a"))
			cell.querySelector("a").click();
	};

	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape")
			close();
	});
	for (const details of document.querySelectorAll("details.table")) {
		if (details.open)
			enhance(details.querySelector("table.derived"));
		details.addEventListener("toggle", () => {
			if (details.open)
				enhance(details.querySelector("table.derived"));
		});
	}

	// Older browsers do not open what a link leads into.
	const reveal = () => {
		const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;

		for (let details = target && target.closest("details:not([open])"); details; details = details.parentNode.closest("details:not([open])"))
			details.open = true;
		if (target)
			target.scrollIntoView();
	};
	addEventListener("hashchange", reveal);
	reveal();
})();
