/* The figures of the search: counts, bounds, strategies, growth of the classes. */

const CHART = {width: 640, height: 260, left: 58, right: 14, top: 12, bottom: 40};

function drawFigures(container) {
  const search = report.search;
  const facts = [['strategy', search.strategy], ['executions', count(search.executions)], ['classes', count(search.classes)],
    ['executions that fail', count(search.buggy)], ['cut', count(search.cut)], ['begun anew', count(search.restarts)],
    ['threads', count(search.threads)], ['longest execution', `${count(search.max_steps)} steps`], ['seconds', search.seconds.toFixed(2)]];
  container.replaceChildren(...[
    el('h2', {}, 'What was explored'),
    el('p', {}, report.claim),
    ...report.notes.map(note => el('p', {class: 'quiet'}, note)),
    el('dl', {class: 'facts'}, ...facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    search.coverage.length < 2 ? null : el('figure', {}, el('figcaption', {}, el('h3', {}, 'Classes seen, by executions of the last search')),
                                           drawCurve(search.coverage)),
    search.per_bound.length === 0 ? null : el('div', {}, el('h3', {}, 'By bound'),
      table(['bound', 'executions', 'new classes'], search.per_bound.map(row => row.map(count)))),
    search.strategies === null ? null : el('div', {}, el('h3', {}, 'By strategy, in the last search'),
      table(['strategy', 'executions', 'first to show a class', 'executions that fail'],
            search.strategies.map(row => [row.strategy, count(row.executions), row.strategy === 'dpor' ? '—' : count(row.classes), count(row.failed)])))]
    .filter(part => part !== null));
}

function count(value) {
  return value === null ? 'not counted' : value.toLocaleString('en');
}

function table(titles, rows) {
  return el('table', {class: 'figures'}, el('thead', {}, el('tr', {}, ...titles.map(title => el('th', {scope: 'col'}, title)))),
            el('tbody', {}, ...rows.map(row => el('tr', {}, ...row.map(cell => el('td', {}, cell))))));
}

/* Round numbers from 0 up to the largest, about four of them; for a logarithmic axis, powers of
 * ten. */
function ticks(largest, logarithmic) {
  if (logarithmic)
    return Array.from({length: Math.floor(Math.log10(largest)) + 1}, (_, power) => 10 ** power);
  const rough = largest / 4, unit = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find(factor => factor * unit >= rough) * unit);
  return Array.from({length: Math.floor(largest / step) + 1}, (_, i) => i * step);
}

/* With many executions the axis is logarithmic. */
function drawCurve(rows) {
  const {width, height, left, right, top, bottom} = CHART;
  const [most, classes] = rows[rows.length - 1], logarithmic = most > 1000;
  const along = logarithmic ? value => Math.log10(Math.max(1, value)) / Math.log10(most) : value => value / most;
  const x = value => left + along(value) * (width - left - right);
  const y = value => height - bottom - value / Math.max(1, classes) * (height - top - bottom);
  const path = rows.map(([executions, seen], i) => `${i === 0 ? 'M' : 'L'}${x(executions).toFixed(1)},${y(seen).toFixed(1)}`).join(' ');
  const drawing = svg('svg', {class: 'curve', viewBox: `0 0 ${width} ${height}`, role: 'img',
                              'aria-label': `${count(classes)} classes after ${count(most)} executions`});
  for (const value of ticks(classes, false))
    drawing.append(svg('line', {class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value)}),
                   svg('text', {x: left - 8, y: y(value) + 4, 'text-anchor': 'end'}, count(value)));
  for (const value of ticks(most, logarithmic))
    drawing.append(svg('text', {x: x(value), y: height - bottom + 18, 'text-anchor': 'middle'}, count(value)));
  drawing.append(svg('text', {x: width - right, y: height - 6, 'text-anchor': 'end'}, logarithmic ? 'executions (logarithmic)' : 'executions'),
                 svg('path', {class: 'line', d: path}));
  for (const [executions, seen, seconds] of rows)
    drawing.append(svg('circle', {cx: x(executions), cy: y(seen), r: 3},
                       svg('title', {}, `${count(seen)} classes after ${count(executions)} executions, ${seconds.toFixed(3)} s`)));
  return drawing;
}
