extension TrayPage {
    /// Sorts and filters the units. The page is complete without it.
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
}
