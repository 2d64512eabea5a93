/// How the page looks, and what it does where scripts may run.
///
/// A CI server may forbid either (Jenkins allows neither a style nor a script inside a page): what is to be read is
/// in the page itself, and the controls that would do nothing are hidden.
enum HTMLStyle {
  /// Nothing but the style sheet and the one script in the page; nothing from elsewhere.
  static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src '\(scriptHash)'; base-uri 'none'; "
    + "form-action 'none'"

  /// Of the script's text (Content Security Policy, level 3, section 2.3.1); a test computes it anew.
  static let scriptHash = "sha256-o40qfWAcpz4pEXn//cNXE2T4Vd1iia1mNcVPUQ7Cd9Y="

  /// Shows one kind of result where its button is chosen.
  static func filter(_ kind: String) -> String {
    "body:has(#show-\(kind):checked) main section:not(.\(kind)):not(.attempt) { display: none; }\n"
  }

  // In a `style` or `script` element of XML a `<` or a `&` would need an escape that HTML doesn't know:
  // there is none.
  static let sheet = """

    :root { color-scheme: light dark; --text: #1c2024; --quiet: #60646c; --page: #ffffff;
      --panel: #f6f7f9; --line: #d9dce1; --good: #18794e; --bad: #ca2a2a; --warn: #9a6700;
      --link: #0b62c4; --wanted: #dff3e7; --got: #fde4e4; --mark: #fff1c2; }
    @media (prefers-color-scheme: dark) { :root { --text: #edeef0; --quiet: #a0a6ae;
      --page: #14171a; --panel: #1d2125; --line: #363b41; --good: #4cc38a; --bad: #ff8589;
      --warn: #f1a10d; --link: #7cb8ff; --wanted: #12331f; --got: #43191c; --mark: #4a3a0c; } }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body { margin: 0 auto; max-width: 75rem; padding: 1rem 1.5rem 4rem; background: var(--page);
      color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; }
    h1, h2, h3, h4, p, dl { margin: 0; overflow-wrap: anywhere; }
    h1 { font-size: 1.625rem; line-height: 1.25; }
    .bad h1 { color: var(--bad); } .good h1 { color: var(--good); }
    h2 { font-size: 1.125rem; margin: 1.75rem 0 0.5rem; }
    h3 { font-size: 1rem; } h4 { font-size: 0.9375rem; margin-top: 0.75rem; color: var(--warn); }
    a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
    dl { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0.5rem 0 1rem; font-size: 0.875rem; }
    dl div { display: flex; gap: 0.4rem; } dt { color: var(--quiet);
      white-space: nowrap; } dd { margin: 0; }
    code, pre, del, ins, mark { font-family: ui-monospace, monospace; font-size: 0.8125rem; }
    code, del, ins, td, th, summary, li { overflow-wrap: anywhere; }
    pre { margin: 0.25rem 0; max-height: 30rem; overflow: auto; white-space: pre-wrap;
      overflow-wrap: anywhere; line-height: 1.45; }
    .filters { position: sticky; top: 0; z-index: 1; display: flex !important; flex-wrap: wrap;
      gap: 0.375rem; align-items: center; padding: 0.5rem 0; background: var(--page);
      border-bottom: 1px solid var(--line); }
    .filters input[type=radio] { position: absolute; opacity: 0; }
    label { border: 1px solid var(--line); border-radius: 1rem; padding: 0.1rem 0.75rem;
      cursor: pointer; }
    input:checked + label { background: var(--text); color: var(--page); }
    input:focus-visible + label, summary:focus-visible, a:focus-visible, #search:focus-visible {
      outline: 2px solid var(--link); outline-offset: 1px; }
    #search { flex: 1 1 14rem; font: inherit; color: inherit; background: var(--panel);
      border: 1px solid var(--line); border-radius: 1rem; padding: 0.1rem 0.75rem; }
    .groups ul { margin: 0.25rem 0 0; padding: 0 0 0 1.25rem; columns: 24rem; }
    .groups div { border-left: 4px solid var(--bad); background: var(--panel);
      padding: 0.5rem 0.75rem; margin-bottom: 0.5rem; }
    .result { background: var(--panel); border-left: 4px solid var(--bad); margin-bottom: 0.375rem;
      content-visibility: auto; contain-intrinsic-size: auto 2.5rem; }
    .flaky .result, .known .result, .warned .result { border-color: var(--warn); }
    .passed .result { border-color: var(--good); }
    summary { cursor: pointer; }
    .result > summary { padding: 0.4rem 0.75rem; }
    .content { padding: 0 0.75rem 0.75rem; scroll-margin-top: 6rem; }
    .content:target { outline: 2px solid var(--link); outline-offset: -2px; }
    .quiet { color: var(--quiet); font-size: 0.875rem; font-weight: normal; }
    .tag { color: var(--quiet); font-size: 0.8125rem; border: 1px solid var(--line);
      border-radius: 0.75rem; padding: 0 0.4rem; font-style: normal; font-weight: normal; }
    article, .attempt { border-top: 1px solid var(--line); margin-top: 0.5rem; padding-top: 0.5rem; }
    .result p { margin-top: 0.25rem; }
    .result .note { margin-top: 0.25rem; font-size: 0.875rem; color: var(--quiet); }
    .error { color: var(--bad); }
    table { border-collapse: collapse; margin-top: 0.25rem; max-width: 100%; }
    td, th { text-align: left; vertical-align: top; padding: 0.15rem 1rem 0.15rem 0;
      font-weight: normal; }
    thead th { color: var(--quiet); font-size: 0.875rem; }
    .time { white-space: nowrap; font-variant-numeric: tabular-nums; }
    del, ins { text-decoration: none; padding: 0.05rem 0.3rem; border-radius: 0.2rem; }
    del { background: var(--wanted); } ins { background: var(--got); }
    mark { background: var(--mark); color: inherit; display: inline-block; width: 100%; }
    .source h4 { color: var(--quiet); font-weight: normal; }
    .source pre { background: var(--page); border: 1px solid var(--line); border-radius: 0.25rem;
      padding: 0.25rem 0.5rem; }
    .schedules, .story { margin: 0.375rem 0 0; padding: 0 0 0 1.25rem; }
    .schedules { list-style: none; } .schedules .result { background: var(--page); }
    .results { width: 100%; } .results tr { border-top: 1px solid var(--line); }
    .output, .timeline { margin-top: 0.5rem; }
    .timeline > ol { list-style: none; margin: 0.375rem 0 0; padding: 0; }
    .timeline > ol > li { border-left: 2px solid var(--line); padding: 0 0 0.5rem 0.875rem;
      margin-left: 0.25rem; }
    .timeline ul { list-style: none; margin: 0.125rem 0; padding: 0; }
    .request, .event { padding: 0.125rem 0; } .request.found code, .event.found b { background: var(--mark); }
    .request pre, .event pre, .screen pre, .output pre { background: var(--page); padding: 0.25rem 0.5rem;
      border: 1px solid var(--line); border-radius: 0.25rem; }
    .timeline details > summary { color: var(--quiet); font-size: 0.8125rem; }
    @media (max-width: 40rem) { body { padding: 0.75rem 0.75rem 3rem; } h1 { font-size: 1.25rem; }
      .results td { display: block; padding: 0; } td, th { padding-right: 0.5rem; }
      .filters { position: static; } .content { scroll-margin-top: 1rem; } }
    @media print { :root { font-size: 75%; } .filters { display: none !important; }
      pre { max-height: none; } pre mark, p, tr, li > p { break-inside: avoid; }
      h2, h3, h4, .result > summary { break-after: avoid; } }

    """

  /// Search, and what is chosen kept in the address: `#show=failed&q=cart`. Any other address is that of
  /// a scenario.
  static let script = """

    "use strict";
    const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
    const search = document.getElementById("search");
    const found = document.getElementById("found");
    const choices = all("input[name=show]");
    const texts = new WeakMap();
    const opened = new Set();
    const openLimit = 20;
    let wasSearching = false;

    const text = node => {
      if (!texts.has(node)) texts.set(node, node.textContent.toLowerCase());
      return texts.get(node);
    };
    const open = (node, isNoted) => {
      for (let parent = node; parent; parent = parent.parentElement) {
        if (parent.localName !== "details" || parent.open) continue;
        parent.open = true;
        if (isNoted) opened.add(parent);
      }
    };
    const find = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      if (words.length === 0) if (!wasSearching) return;
      wasSearching = words.length !== 0;
      opened.forEach(details => { details.open = false; });
      opened.clear();
      const has = node => words.every(word => text(node).includes(word));
      const chosen = (choices.find(choice => choice.checked) || {}).value || "all";
      let count = 0;
      let openCount = 0;
      all("main section:not(.attempt):not(.groups)").forEach(section => {
        const isShown = chosen === "all" || section.classList.contains(chosen);
        let isEmpty = true;
        all(".result, .results tr", section).forEach(result => {
          const isFound = has(result);
          result.hidden = !isFound;
          if (!isFound) return;
          isEmpty = false;
          count += isShown ? 1 : 0;
          const requests = all(".request, .event", result);
          requests.forEach(request => {
            const isMeant = wasSearching ? has(request) : false;
            request.classList.toggle("found", isMeant);
            if (!isMeant || !isShown || openCount >= openLimit) return;
            open(request.parentElement, true);
          });
          openCount += requests.some(request => request.classList.contains("found")) ? 1 : 0;
        });
        section.hidden = isEmpty;
      });
      // They name scenarios that aren't found, too.
      all("main section.groups").forEach(section => { section.hidden = wasSearching; });
      found.textContent = wasSearching ? count + " found" : "";
    };
    const goToFirst = () => {
      const rows = all("main .result > summary, main .results a");
      const first = rows.find(row => row.checkVisibility());
      if (first) first.focus();
    };
    const write = () => {
      const state = new URLSearchParams();
      const choice = choices.find(choice => choice.checked);
      if (choice) if (choice.value !== "all") state.set("show", choice.value);
      if (search.value) state.set("q", search.value);
      try { history.replaceState(null, "", "#" + state.toString()); } catch { }
    };
    const choose = value => choices.forEach(choice => { choice.checked = choice.value === value; });
    const read = () => {
      const address = location.hash.slice(1);
      if (address.includes("=")) {
        const state = new URLSearchParams(address);
        search.value = state.get("q") || "";
        choose(state.get("show") || "all");
        find();
      } else if (address) {
        const target = document.getElementById(decodeURIComponent(address));
        if (!target) return;
        search.value = "";
        choose("all");
        find();
        open(target, false);
        target.scrollIntoView();
      }
    };

    search.hidden = false;
    let waiting = 0;
    search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { find(); write(); }, 150);
    });
    choices.forEach(choice => choice.addEventListener("change", () => {
      find();
      write();
    }));
    document.addEventListener("keydown", event => {
      if (event.key === "/") if (document.activeElement !== search) {
        event.preventDefault();
        search.focus();
      }
      if (event.key === "Escape") if (document.activeElement === search) {
        search.value = "";
        find();
        write();
      }
      if (event.key === "Enter") if (document.activeElement === search) {
        find();
        write();
        goToFirst();
      }
    });
    addEventListener("hashchange", read);
    read();

    """
}
