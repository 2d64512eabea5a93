/// How the page looks.
enum HTMLStyle {
  /// Nothing but the style sheet in the page: no script, nothing from elsewhere.
  static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  // In a `style` element of XML a `<` or a `&` would need an escape that HTML does not know: there is
  // none, and no `>`.
  static let sheet = """

    :root { color-scheme: light dark; --text: #1c2024; --quiet: #60646c; --page: #ffffff;
      --panel: #f6f7f9; --line: #d9dce1; --good: #18794e; --bad: #ca2a2a; --warn: #9a6700;
      --wanted: #e3f5ea; --got: #fdecec; }
    @media (prefers-color-scheme: dark) { :root { --text: #edeef0; --quiet: #a0a6ae;
      --page: #14171a; --panel: #1d2125; --line: #363b41; --good: #4cc38a; --bad: #ff8589;
      --warn: #f1a10d; --wanted: #12331f; --got: #43191c; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--page);
      color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; }
    h1, h2, h3, h4, p, dl { margin: 0; overflow-wrap: anywhere; }
    h1 { font-size: 1.5rem; } .bad h1 { color: var(--bad); } .good h1 { color: var(--good); }
    h2 { font-size: 1.125rem; margin: 1.5rem 0 0.5rem; }
    h3 { font-size: 1rem; } h4 { font-size: 0.9375rem; margin-top: 0.5rem; color: var(--warn); }
    dl { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0.25rem 0 1rem; }
    dl div { display: flex; gap: 0.4rem; } dt { color: var(--quiet); } dd { margin: 0; }
    code, pre, del, ins { font-family: ui-monospace, monospace; font-size: 0.875rem; }
    code, del, ins, td, th, summary { overflow-wrap: anywhere; }
    pre { margin: 0.5rem 0 0; max-height: 30rem; overflow: auto; white-space: pre-wrap;
      overflow-wrap: anywhere; }
    input[name=show] { position: absolute; opacity: 0; }
    label { display: inline-block; border: 1px solid var(--line); border-radius: 1rem;
      padding: 0.1rem 0.75rem; margin: 0 0.25rem 0.25rem 0; cursor: pointer; }
    input:checked + label { background: var(--text); color: var(--page); }
    input:focus-visible + label { outline: 2px solid var(--warn); }
    #show-failed:checked ~ main section:not(.failed):not(.attempt),
    #show-errored:checked ~ main section:not(.errored):not(.attempt),
    #show-flaky:checked ~ main section:not(.flaky):not(.attempt),
    #show-skipped:checked ~ main section:not(.skipped):not(.attempt),
    #show-passed:checked ~ main section:not(.passed):not(.attempt) { display: none; }
    .result { background: var(--panel); border-left: 4px solid var(--bad); padding: 0.5rem 0.75rem;
      margin-bottom: 0.5rem; content-visibility: auto; contain-intrinsic-size: auto 3rem; }
    .flaky .result { border-color: var(--warn); }
    summary { cursor: pointer; }
    .quiet { color: var(--quiet); font-size: 0.875rem; font-weight: normal; }
    .tag { color: var(--quiet); font-size: 0.8125rem; border: 1px solid var(--line);
      border-radius: 0.75rem; padding: 0 0.4rem; font-style: normal; font-weight: normal; }
    article { border-top: 1px solid var(--line); margin-top: 0.5rem; padding-top: 0.5rem; }
    .attempt { border-top: 1px solid var(--line); margin-top: 0.5rem; padding-top: 0.5rem; }
    .result p { margin-top: 0.25rem; } .note { font-size: 0.875rem; color: var(--quiet); }
    .result .note { margin-top: 0.5rem; }
    table { border-collapse: collapse; margin-top: 0.25rem; max-width: 100%; }
    td, th { text-align: left; vertical-align: top; padding: 0.15rem 1rem 0.15rem 0;
      font-weight: normal; }
    thead th { color: var(--quiet); font-size: 0.875rem; }
    .time { white-space: nowrap; font-variant-numeric: tabular-nums; }
    del, ins { text-decoration: none; padding: 0.05rem 0.3rem; border-radius: 0.2rem; }
    del { background: var(--wanted); } ins { background: var(--got); }
    .results { width: 100%; } .results tr { border-top: 1px solid var(--line); }
    .output { margin-top: 0.5rem; }
    @media (max-width: 40rem) { body { padding: 0.5rem; } .results td { display: block;
      padding: 0; } td, th { padding-right: 0.5rem; } }

    """
}
