function (id, d) {
	for (const root of document.querySelectorAll('[id="' + id + '"]')) {
		const range = root.querySelector("input"), said = root.querySelector("output");
		const now = root.querySelector('[data-part="now"]');
		const line = root.querySelector('[data-part="line"]');
		const side = 360;
		range.oninput = () => {
			const i = Number(range.value);
			let f = d.frames[0];
			for (const x of d.frames) if (x.i <= i) f = x;
			const c = (d.changes || []).filter(x => x.i <= i).pop();
			const started = f.i <= i;
			said.textContent = i + (started ? ", best " + f.b : "") + (c ? "; " + c.w : "");
			now.setAttribute("d", "M" + side * i / Math.max(d.end, 1) + " 0V" + side);
			if (line) {
				line.setAttribute("d", !started || !f.t ? "" :
					f.t.map((v, k) => (k ? "L" : "M") + d.x[v] + " " + d.y[v]).join("") + "Z");
			}
		};
	}
}
