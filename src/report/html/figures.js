/* What the search did: counts, bounds, strategies, how classes grew. */

function drawFigures(container) {
  const search = report.search;
  const count = value => value === null ? 'not counted' : value.toLocaleString('en');
  const facts = [['strategy', search.strategy], ['executions', count(search.executions)], ['classes', count(search.classes)],
    ['begun anew', `${search.restarts} times`], ['executions that fail', count(search.buggy)], ['cut', count(search.cut)],
    ['threads', count(search.threads)], ['longest execution', `${search.max_steps} steps`], ['seconds', search.seconds.toFixed(2)]];
  container.replaceChildren(
    el('h2', {}, 'What was explored'),
    el('p', {}, report.claim),
    ...report.notes.map(note => el('p', {class: 'quiet'}, note)),
    el('dl', {class: 'facts'}, ...facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    search.per_bound.length === 0 ? null : el('div', {}, el('h3', {}, 'By bound'),
      table(['bound', 'executions', 'new classes'], search.per_bound.map(row => row.map(count)))));
}

function table(titles, rows) {
  return el('table', {class: 'figures'}, el('thead', {}, el('tr', {}, ...titles.map(title => el('th', {scope: 'col'}, title)))),
            el('tbody', {}, ...rows.map(row => el('tr', {}, ...row.map(cell => el('td', {}, cell))))));
}
