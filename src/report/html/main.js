/* Puts the page together: tabs, the finding that is shown, its chosen step, keys. */

const $ = id => document.getElementById(id);
const LEAP = 20;

const findings = report.findings.map(data => {
  const explanation = data.explanation, schedule = new Schedule(data.failing, data.waits);
  const orders = explanation ? explanation.orders : [];
  const matters = new Set(explanation ? explanation.preemptions : []);
  for (const order of orders)
    for (const step of [order.earlier, order.later])
      if (step < schedule.count)
        matters.add(step);
  return {data, schedule, orders, matters, marked: new Set(data.marked.filter(step => step < schedule.count)), chosen: 0};
});

const now = {finding: null, lanes: null, passing: null, compares: false, hits: []};
let source = null;

function headline(data) {
  const repeats = data.title.replace(/-/g, ' ').endsWith(data.message);
  return data.title[0].toUpperCase() + data.title.slice(1) + (data.message && !repeats ? `: ${data.message}` : '');
}

/* Why the finding shows, in the words of the terminal report. */
function explanationLines(explanation) {
  if (explanation === null || explanation.lines.length === 0)
    return [];
  return [el('ul', {class: 'orders'}, ...explanation.lines.map(line => el('li', {}, line)))];
}

function costText(data) {
  const parts = [];
  if (data.always)
    parts.push('in every execution, whatever the order of steps');
  else if (data.execution > 0)
    parts.push(`found in execution ${data.execution.toLocaleString('en')}`);
  parts.push(`${data.preemptions} preemption${data.preemptions === 1 ? '' : 's'}${data.fewest ? ', the fewest that show it' : ''}`);
  if (!data.confirmed)
    parts.push('run again, it did not come out the same');
  return parts.join(' · ');
}

function drawStory(data) {
  $('story').replaceChildren(
    el('h2', {class: data.error ? 'bad' : 'warning'}, headline(data)),
    ...(data.why ? [el('p', {class: 'why'}, data.why)] : []),
    ...(data.cause ? [el('p', {class: 'why'}, data.cause)] : []),
    ...explanationLines(data.explanation),
    el('p', {class: 'quiet'}, costText(data), data.replay ? ' · run it again: ' : '',
       ...(data.replay ? [el('code', {class: 'command'}, `bohr replay ${data.replay}`)] : [])));
}

function drawBelow(data) {
  const parts = data.stacks.map(stack => el('section', {}, el('h3', {}, `Stack of ${stack.title}`),
    el('ol', {class: 'stack'}, ...stack.frames.filter(frame => frame !== null).map(frame => el('li', {}, siteText(frame))))));
  if (data.leaks.length > 0)
    parts.push(el('section', {}, el('h3', {}, `Leaks at its end: ${data.leak_count}`), el('ul', {}, ...data.leaks.map(leak => el('li', {}, leak)))));
  for (const [title, text] of [['Output', data.output], ['Standard error', data.errors]])
    if (text)
      parts.push(el('section', {}, el('h3', {}, title), el('pre', {}, text)));
  $('below').replaceChildren(...parts);
}

/* The step of the passing schedule with the same thread and the same number within that thread. */
function passingStep(step) {
  const failing = now.finding.schedule, passing = now.passing.schedule;
  const own = passing.stepsOf.get(failing.thread[step]);
  return own === undefined || own.length === 0 ? 0 : own[Math.min(failing.nth[step], own.length - 1)];
}

function failingStep(step) {
  const failing = now.finding.schedule, passing = now.passing.schedule;
  const own = failing.stepsOf.get(passing.thread[step]);
  return own === undefined || own.length === 0 ? 0 : own[Math.min(passing.nth[step], own.length - 1)];
}

function showFinding(number) {
  const finding = findings[number];
  now.finding = finding;
  now.number = number;
  now.hits = [];
  $('search').value = '';
  selectTab(`tab-${number}`);
  $('figures').hidden = true;
  $('finding').hidden = false;
  drawStory(finding.data);
  drawBelow(finding.data);
  const cycle = finding.data.cycle;
  now.lanes = new Lanes($('failing'), {
    title: 'The failing schedule', schedule: finding.schedule, marked: finding.marked, matters: finding.matters, orders: finding.orders,
    repeats: step => step + cycle >= finding.schedule.count, choose: chooseStep});
  const explanation = finding.data.explanation, passing = explanation === null ? null : explanation.passing;
  now.passing = null;
  $('compare').hidden = passing === null;
  if (passing !== null) {
    const schedule = finding.passing || (finding.passing = new Schedule(passing, []));
    now.passing = new Lanes($('passing'), {
      title: `The nearest schedule that passes; it leaves the failing one at step ${explanation.leaves}`, brief: true, schedule, marked: new Set(),
      matters: new Set([explanation.leaves]), orders: [], repeats: () => false, choose: step => chooseStep(failingStep(step))});
  }
  setCompare(passing !== null && now.compares);
  $('search').disabled = finding.schedule.count === 0;
  if (finding.schedule.count > 0)
    chooseStep(finding.chosen);
  else
    $('position').textContent = 'no steps';
}

function setCompare(on) {
  now.compares = on;
  $('passing').hidden = !on;
  $('compare').setAttribute('aria-pressed', on);
  $('work').classList.toggle('compares', on);
  if (now.finding.schedule.count > 0)
    chooseStep(now.finding.chosen);
}

function chooseStep(step) {
  const finding = now.finding, schedule = finding.schedule;
  finding.chosen = Math.max(0, Math.min(schedule.count - 1, step));
  now.lanes.choose_(finding.chosen);
  now.lanes.redraw();
  if (now.passing !== null && now.compares) {
    now.passing.choose_(passingStep(finding.chosen));
    now.passing.redraw();
  }
  source.show(schedule, finding.chosen);
  drawState($('state'), schedule, finding.chosen);
  $('position').textContent = `step ${finding.chosen} / ${schedule.count - 1}`;
  $('position').title = `T${schedule.thread[finding.chosen]} ${schedule.text(finding.chosen)}`;
  history.replaceState(null, '', `#finding-${now.number + 1}-step-${finding.chosen}`);
}

/* Chooses the first step in a direction for which `holds` is true; if there is none, keeps the
 * choice. */
function seek(direction, holds) {
  const schedule = now.finding.schedule;
  for (let i = now.finding.chosen + direction; i >= 0 && i < schedule.count; i += direction)
    if (holds(i))
      return chooseStep(i);
}

const moves = {
  first: () => chooseStep(0),
  last: () => chooseStep(Infinity),
  after: () => chooseStep(now.finding.chosen + 1),
  before: () => chooseStep(now.finding.chosen - 1),
  'own-after': () => seek(1, i => now.finding.schedule.thread[i] === now.finding.schedule.thread[now.finding.chosen]),
  'own-before': () => seek(-1, i => now.finding.schedule.thread[i] === now.finding.schedule.thread[now.finding.chosen]),
  'switch-after': () => seek(1, i => now.finding.schedule.switches(i)),
  'switch-before': () => seek(-1, i => now.finding.schedule.switches(i)),
  matters: () => seek(1, i => matters(i)),
  'matters-before': () => seek(-1, i => matters(i)),
  'leap-after': () => chooseStep(now.finding.chosen + LEAP),
  'leap-before': () => chooseStep(now.finding.chosen - LEAP),
  compare: () => now.passing !== null && setCompare(!now.compares),
};

function matters(step) {
  const finding = now.finding;
  return finding.marked.has(step) || finding.matters.has(step) || (finding.matters.size === 0 && finding.schedule.preempts(step));
}

const keys = {
  ArrowDown: 'after', j: 'after', ArrowUp: 'before', k: 'before', ArrowRight: 'own-after', l: 'own-after', ArrowLeft: 'own-before',
  h: 'own-before', n: 'switch-after', b: 'switch-before', m: 'matters', M: 'matters-before', PageDown: 'leap-after', PageUp: 'leap-before',
  Home: 'first', End: 'last', c: 'compare',
};

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || $('help').open || event.target === $('search'))
    return;
  if (event.key === '?')
    $('help').showModal();
  else if (event.key === 'd')
    changeTheme();
  else if (event.key === 'f' || event.key === 'F')
    leapFinding(event.key === 'f' ? 1 : -1);
  else if (event.key === '/' && !$('finding').hidden)
    $('search').focus();
  else if (keys[event.key] !== undefined && !$('finding').hidden && now.finding.schedule.count > 0)
    moves[keys[event.key]]();
  else
    return;
  event.preventDefault();
}

function leapFinding(by) {
  if (findings.length > 0)
    showFinding(((now.number === undefined ? 0 : now.number + by) + findings.length) % findings.length);
}

function search() {
  const text = $('search').value;
  now.hits = findSteps(now.finding.schedule, text);
  now.lanes.hits = new Set(now.hits);
  const at = now.hits.findIndex(step => step >= now.finding.chosen);
  showHit(now.hits.length === 0 ? -1 : Math.max(0, at));
  if (now.hits.length === 0) {
    $('hits').textContent = text.trim() === '' ? '' : 'nothing';
    now.lanes.redraw();
  }
}

function showHit(number) {
  if (number < 0)
    return;
  now.hit = (number + now.hits.length) % now.hits.length;
  $('hits').textContent = `${now.hit + 1} of ${now.hits.length}`;
  chooseStep(now.hits[now.hit]);
}

function searchKey(event) {
  if (event.key === 'Enter' && now.hits.length > 0)
    showHit(now.hit + (event.shiftKey ? now.hits.length - 1 : 1));
  else if (event.key === 'Escape')
    now.lanes.view.focus();
  else
    return;
  event.preventDefault();
}

/* The choice is remembered if the browser allows it; without one the system's preference counts. */
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function setTheme(theme) {
  if (theme)
    document.documentElement.dataset.theme = theme;
  $('theme').textContent = isDark() ? 'Light' : 'Dark';
  if (now.lanes !== null && !$('finding').hidden)
    now.lanes.redraw();
}

function changeTheme() {
  const theme = isDark() ? 'light' : 'dark';
  try {
    localStorage.setItem('bohr-theme', theme);
  } catch (error) { /* pages from files may have no storage */ }
  setTheme(theme);
}

function rememberedTheme() {
  try {
    return localStorage.getItem('bohr-theme');
  } catch (error) {
    return null;
  }
}

function selectTab(id) {
  for (const tab of $('tabs').children)
    tab.setAttribute('aria-selected', tab.id === id);
}

function showFigures() {
  selectTab('tab-figures');
  $('finding').hidden = true;
  $('figures').hidden = false;
}

function drawHeader() {
  const count = findings.filter(finding => finding.data.error).length, warnings = findings.length - count;
  const plural = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;
  const command = [report.program, ...report.arguments].join(' ');
  document.title = `${baseName(report.program)}: ${plural(findings.length, 'finding')}`;
  $('program').textContent = command;
  $('result').textContent = report.refusal !== null ? `refused: ${report.refusal} ${siteText(report.refusal_at)}` :
    report.shortfall !== null ? `no answer: ${report.shortfall}` :
    findings.length === 0 ? 'nothing found' : plural(count, 'finding') + (warnings > 0 ? `, ${plural(warnings, 'warning')}` : '');
  $('tabs').replaceChildren(...findings.map((finding, i) =>
    el('button', {role: 'tab', id: `tab-${i}`, class: finding.data.error ? 'bad' : 'warning', onclick: () => showFinding(i)},
       `${i + 1} ${finding.data.kind}`)),
    el('button', {role: 'tab', id: 'tab-figures', onclick: showFigures}, 'search'));
}

/* The address may name a finding and a step: #finding-2-step-17. */
function begin() {
  setTheme(rememberedTheme());
  drawHeader();
  drawFigures($('figures'));
  source = new Source($('source'));
  const wanted = /^#finding-(\d+)-step-(\d+)$/.exec(location.hash);
  const number = wanted !== null && Number(wanted[1]) <= findings.length ? Number(wanted[1]) - 1 : 0;
  if (findings.length === 0)
    return showFigures();
  for (const finding of findings)
    finding.chosen = firstStep(finding);
  if (wanted !== null)
    findings[number].chosen = Math.min(Number(wanted[2]), Math.max(0, findings[number].schedule.count - 1));
  now.compares = findings[number].data.explanation !== null && findings[number].data.explanation.passing !== null && innerWidth >= 1500;
  showFinding(number);
}

/* The first step that matters: there the story begins. */
function firstStep(finding) {
  const steps = [...finding.matters, ...finding.marked];
  return steps.length === 0 ? Math.max(0, finding.schedule.count - 1) : Math.min(...steps);
}

for (const [id, move] of Object.entries(moves))
  if ($(id) !== null)
    $(id).addEventListener('click', move);
$('theme').addEventListener('click', changeTheme);
$('help-open').addEventListener('click', () => $('help').showModal());
$('search').addEventListener('input', search);
$('search').addEventListener('keydown', searchKey);
document.addEventListener('keydown', pressed);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(null));
addEventListener('resize', () => now.lanes !== null && now.lanes.redraw());
addEventListener('beforeprint', () => drawPaper($('paper'), findings));
addEventListener('afterprint', () => $('paper').replaceChildren());
begin();
performance.mark('bohr-drawn');
