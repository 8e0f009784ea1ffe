extension TrayPage {
    /// The script that sorts and filters the units. Without it the page still shows everything.
    static let script: StaticString = """

        "use strict";
        (() => {
          const list = document.getElementById("list");
          if (!list) return;
          const rows = Array.from(list.children), find = document.getElementById("find");
          const hidden = new Set();
          let key = "n", down = false;
          document.querySelector(".tools").hidden = false;
          const show = () => {
            const words = find.value.toLowerCase().split(" ").filter(Boolean);
            let count = 0;
            for (const row of rows) {
              const text = row.textContent.toLowerCase();
              row.hidden = hidden.has(row.dataset.f) || !words.every((word) => text.includes(word));
              if (!row.hidden) count += 1;
            }
            document.getElementById("shown").textContent =
              count === rows.length ? "" : count + " of " + rows.length + " shown";
          };
          const button = (element, press) => {
            element.setAttribute("role", "button");
            element.tabIndex = 0;
            element.addEventListener("click", press);
            element.addEventListener("keydown", (event) => {
              if (event.key === "Enter" || event.key === " ") { event.preventDefault(); press(); }
            });
          };
          for (const head of document.querySelectorAll("[data-k]")) {
            button(head, () => {
              down = key === head.dataset.k && !down;
              key = head.dataset.k;
              const sign = down ? -1 : 1;
              const sorted = rows.slice().sort((a, b) =>
                sign * (a.dataset[key] - b.dataset[key]) || a.dataset.n - b.dataset.n);
              list.append(...sorted);
            });
          }
          for (const chip of document.querySelectorAll(".chips li")) {
            chip.setAttribute("aria-pressed", "true");
            button(chip, () => {
              const kind = chip.dataset.f, off = !hidden.delete(kind);
              if (off) hidden.add(kind);
              chip.setAttribute("aria-pressed", String(!off));
              show();
            });
          }
          find.addEventListener("input", show);
        })();

        """

    /// The style sheet. The colours are distinguishable with any kind of colour vision, and each has a letter next to
    /// it. Good outcomes have pale colours and bad ones dark colours, also in black and white.
    static let style: StaticString = """

        :root { color-scheme: light dark; --ink: #1b1f24; --dim: #5b6570; --paper: #fff; --line: #d5dae0;
          --field: #f5f7f9; --link: #0b57a4; --curve: #0b62b5; --area: #9cc6ee; --held: #d0d4d9;
          --connect: #8a949e; --enter: #b48ead; --prepare: #d9b44a; --transfer: #2f7fc4; --activate: #4aa37b;
          --reboot: #a9b7c4; --verify: #2d6a4f; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #a3adb7; --paper: #15191e; --line: #38414b;
          --field: #1e242b; --link: #8cc2ff; --curve: #7fbaf2; --area: #2a567f; --held: #444d57; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 84rem; padding: 1rem 1.25rem 3rem; color: var(--ink); background: var(--paper);
          font: 15px/1.4 system-ui, "Noto Sans", "Noto Sans CJK JP", sans-serif; overflow-wrap: anywhere; }
        h1 { margin: 0; font-size: 1.5rem; } h1 small { font-weight: 400; color: var(--dim); font-size: 1rem; margin-left: .6rem; }
        h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem; border-bottom: 1px solid var(--line); }
        a { color: var(--link); } code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; } .address { white-space: nowrap; }
        small, .legend, footer { color: var(--dim); } footer { margin-top: 2rem; font-size: .85rem; }
        .headline { font-size: 1.3rem; margin: .3rem 0 .6rem; }
        ul.chips, ol.firmware { list-style: none; padding: 0; margin: .4rem 0; } .chips li { display: inline-block; margin: 0 1rem .3rem 0; }
        ol.firmware { counter-reset: f; } ol.firmware li::before { counter-increment: f; color: var(--dim); content: "File " counter(f) ": "; }
        .chips li[role] { cursor: pointer; } .chips li[aria-pressed=false] { opacity: .4; text-decoration: line-through; }
        dl { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; margin: .4rem 0; } dt { color: var(--dim); font-size: .8rem; } dd { margin: 0; }
        .badge { display: inline-block; min-width: 1.4em; padding: 0 .25em; text-align: center; border-radius: 3px; border: 1px solid #0003; }
        .s-passed { background: #d3eee2; color: #0d4a33; } .s-not-needed { background: #dbe8f7; color: #173f6b; }
        .s-failed { background: #b8330a; color: #fff; } .s-unknown { background: #f0a830; color: #241800; }
        .s-error { background: #6d3f96; color: #fff; } .s-aborted { background: #f4e96a; color: #2b2700; }
        .s-skipped { background: #c9ced4; color: #23282e; } .s-open { background: #fff; color: #23282e; border: 1px dashed #555 !important; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0; } th, td { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; }
        th, td:first-child { white-space: nowrap; } thead th { color: var(--dim); font-weight: 600; font-size: .8rem; border-bottom: 1px solid var(--line); } tbody tr + tr td { border-top: 1px solid var(--line); }
        table.failures td:nth-child(3) { white-space: nowrap; }
        table.map { table-layout: fixed; border-spacing: 4px; border-collapse: separate; max-width: 60rem; } table.map td { padding: 0; border: 0; }
        .flow { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); gap: 3px; } .flow .tile { padding: .15rem .3rem; } .flow small, .flow i { font-size: .68rem; }
        .tile { position: relative; display: grid; grid-template: "l s" 1fr "a p" auto / auto 1fr; min-height: 3.1rem; padding: .2rem .4rem; border-radius: 5px;
          text-decoration: none; border: 1px solid #0003; line-height: 1.2; overflow: hidden; overflow-wrap: normal; white-space: nowrap; }
        .tile b { grid-area: l; font-size: 1.25rem; } .tile span { grid-area: s; text-align: right; font-weight: 600; }
        .tile small { grid-area: a; color: inherit; font-size: .75rem; } .tile i { grid-area: p; text-align: right; font-size: .75rem; font-style: normal; }
        .tile em { position: absolute; left: 1.7rem; top: .25rem; font-style: normal; }
        .bar { width: 8rem; height: .8rem; } .bar rect { fill: #b8330a; }
        .legend { font-size: .8rem; margin: .3rem 0; } .legend svg { width: .8em; height: .8em; margin-left: .6em; }
        figure { margin: .4rem 0 .8rem; } figcaption { font-size: .85rem; }
        .chart { display: block; width: 100%; height: 7rem; background: var(--field); } .chart.work { height: 4rem; }
        .area { fill: var(--area); fill-opacity: .8; stroke: var(--curve); stroke-width: 1; vector-effect: non-scaling-stroke; } .hold { fill: var(--held); }
        .session-start { stroke: var(--ink); stroke-dasharray: 4 4; vector-effect: non-scaling-stroke; }
        .row { display: grid; grid-template-columns: 5.5rem minmax(11rem, 2fr) minmax(7rem, .8fr) minmax(9rem, 2fr) 5rem 5.2rem 2.6rem; gap: .6rem; padding: .28rem .2rem; align-items: center; }
        .row.head { white-space: nowrap; color: var(--dim); font-weight: 600; font-size: .8rem; border-bottom: 1px solid var(--line); }
        .row > :nth-child(n+5) { text-align: right; } .head [role] { cursor: pointer; } .tools [role] { cursor: pointer; color: var(--link); margin: 0 1rem; }
        details { border-bottom: 1px solid var(--line); } details[hidden] { display: none; } summary { cursor: pointer; } summary:hover { background: var(--field); }
        summary.row { list-style: none; } summary::-webkit-details-marker { display: none; }
        .more { padding: .2rem .6rem .6rem; background: var(--field); font-size: .88rem; scroll-margin-top: 4rem; } .more p { margin: .5rem 0 0; }
        .more:target { outline: 2px solid var(--link); } :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
        .time { display: block; width: 100%; height: .8rem; background: var(--field); } .curve { width: 14rem; height: 1.8rem; vertical-align: middle; border-bottom: 1px solid var(--line); }
        .curve polyline { fill: none; stroke: var(--curve); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        .pc { fill: var(--connect); } .pe { fill: var(--enter); } .pp { fill: var(--prepare); } .pt { fill: var(--transfer); } .pa { fill: var(--activate); }
        .pr { fill: var(--reboot); } .pv { fill: var(--verify); } .px { fill: var(--dim); } .pz { fill: #b8330a; }
        .sign { display: grid; grid-template-columns: 2fr 1fr 2fr; gap: 1.5rem; margin-top: 2.6rem; } .sign span { border-top: 1px solid var(--ink); padding-top: .2rem; font-size: .85rem; }
        #find { font: inherit; width: 14rem; max-width: 60vw; }
        @media (prefers-reduced-motion: no-preference) { summary { transition: background .15s; } html { scroll-behavior: smooth; } }
        @media screen and (max-width: 46rem) {
          body { padding: .7rem .7rem 2rem; } .headline { font-size: 1.1rem; } table.map { border-spacing: 2px; }
          .tile { padding: .1rem .15rem; min-height: 2.6rem; grid-template: "l s" auto "a a" auto "p p" auto / auto 1fr; }
          .tile b { font-size: 1rem; } .tile span { font-size: .72rem; } .tile small, .tile i { font-size: .62rem; text-align: left; } .tile em { left: .95rem; top: .1rem; font-size: .6rem; }
          .row { grid-template-columns: 4.6rem 1fr 1fr 4rem; gap: .15rem .5rem; } .row.head { display: none; }
          .row > :nth-child(2) { grid-column: 2 / 5; } .row > :nth-child(3) { grid-column: 1 / 3; } .row > :nth-child(4) { grid-column: 1 / 5; grid-row: 3; }
          .row > :nth-child(7)::after { content: " ×"; } .row > :nth-child(5) { grid-column: 3; } .row > :nth-child(6) { grid-column: 4; } .row > :nth-child(7) { display: none; }
          section table:not(.map), section table:not(.map) tbody, section table:not(.map) tr, section table:not(.map) td { display: block; } section table:not(.map) thead { display: none; }
          section table:not(.map) tr { border-bottom: 1px solid var(--line); padding: .3rem 0; } section table:not(.map) td { border: 0 !important; padding: .05rem 0; }
          section table:not(.map) td::before { color: var(--dim); font-size: .75rem; content: attr(data-h) " "; }
        }
        @page { size: A4; margin: 14mm 12mm; @bottom-right { content: counter(page) " / " counter(pages); font-size: 8pt; } }
        @media print {
          :root { color-scheme: light; --ink: #000; --dim: #444; --paper: #fff; --line: #bbb; --field: #f4f4f4; --link: #000; --curve: #0b62b5; --area: #9cc6ee; --held: #d0d4d9; }
          html { font-size: 11.5px; } body { max-width: none; padding: 0; font-size: 11.5px; } a { text-decoration: none; }
          .tile, .badge, .time, .chart, .bar, .legend, .curve, .more { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          .tile { min-height: 2.5rem; } table.map { max-width: none; border-spacing: 2px; } .tools { display: none; }
          tr, details, figure, .sign, .tile { break-inside: avoid; } .again { display: none; }
          details:is([data-f=failed], [data-f=unknown], [data-f=error])::details-content { content-visibility: visible; display: block; height: auto; } h2 { break-after: avoid; } #signature { break-inside: avoid; }
          .row { grid-template-columns: 4.4rem minmax(16rem, 2fr) 8rem minmax(8rem, 1.4fr) 4.6rem 5rem 2.6rem; gap: .5rem; padding: .14rem 0; }
          .flow { grid-template-columns: repeat(auto-fill, minmax(5.9rem, 1fr)); } .flow .tile { min-height: 2.2rem; }
        }

        """
}
