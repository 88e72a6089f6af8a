//! The style sheet of the page of results. The colours are those of the charts (`svg.ts`).

export const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --soft: #59636e; --page: #fff; --line: #d1d9e0; --shade: #f6f8fa;
  --ours: #0550ae; --ours-shade: #ddf4ff; --met: #1a7f37; --missed: #bc4c00 }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9198a1; --page: #0d1117; --line: #3d444d;
  --shade: #151b23; --ours: #79c0ff; --ours-shade: #121d2f; --met: #3fb950; --missed: #f0883e } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif }
header, main { max-width: 1360px; margin: 0 auto; padding: 0 24px }
h1 { font-size: 26px; margin: 32px 0 4px }
h2 { font-size: 20px; margin: 0 0 4px }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 24px }
a { color: var(--ours) }
section { border-top: 1px solid var(--line); padding: 24px 0 16px; scroll-margin-top: 8px }
p { margin: 0 0 12px }
.note { color: var(--soft); font-size: 13px }
.warning { color: var(--missed); font-weight: 600 }
.picture { margin: 20px 0 }
.picture img { display: block; max-width: 100%; height: auto }
.wide { overflow-x: auto; margin: 16px 0 }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid var(--line) }
th:first-child { text-align: left; font-weight: 400; position: sticky; left: 0; background: var(--page) }
thead th, thead th:first-child { font-weight: 600; background: var(--shade) }
th.group { font-weight: 600; padding-top: 12px }
tr.ours th, tr.ours td { color: var(--ours); font-weight: 600 }
tbody tr:hover th, tbody tr:hover td { background: var(--ours-shade) }
.met { color: var(--met) }
.missed { color: var(--missed); font-weight: 600 }
code { font: 12px ui-monospace, "SF Mono", Menlo, Consolas, monospace }
summary { cursor: pointer; color: var(--soft); margin: 12px 0 }
summary:hover { color: var(--text) }
details .wide { margin-top: 0 }
`;
