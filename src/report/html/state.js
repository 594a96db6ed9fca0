/* The state after the chosen step: where each thread is, which locks it holds, and the variables'
 * values. */

const VARIABLES = 40, THREADS_SHOWN = 64;

function drawState(container, schedule, step) {
  const threads = schedule.threads.slice(0, THREADS_SHOWN).map(thread => threadRow(schedule, thread, step));
  const more = schedule.threads.length - threads.length;
  const variables = schedule.variables(step, VARIABLES);
  container.replaceChildren(...[
    el('h3', {}, `Threads after step ${step}`),
    el('table', {class: 'threads'},
       el('thead', {}, el('tr', {}, ...['', 'at', 'next', 'holds'].map(title => el('th', {}, title)))),
       el('tbody', {}, ...threads)),
    more > 0 ? el('p', {class: 'quiet'}, `and ${more} more`) : null,
    el('h3', {}, 'Variables'),
    variables.length === 0 ? el('p', {class: 'quiet'}, 'No step so far reads or writes a variable.') :
      el('table', {class: 'variables'}, el('tbody', {}, ...variables.map(row =>
        el('tr', {class: row.step === step ? 'now' : null},
           el('td', {}, row.name), el('td', {class: 'value'}, row.text),
           el('td', {class: 'quiet'}, `T${row.thread}, step ${row.step}`)))))].filter(part => part !== null));
}

function threadRow(schedule, thread, step) {
  const next = schedule.nextStepOf(thread, step), wait = schedule.waits.find(wait => wait.thread === thread);
  const blocked = schedule.blocked.find(wait => wait.thread === thread && wait.from <= step && (step + 1 < wait.to || wait.to === schedule.count));
  const text = next !== undefined ? schedule.text(next) : wait !== undefined ? `${report.operations[wait.kind].word} ${wait.object}` : '';
  const held = schedule.heldBy(thread, step).map(hold => hold.name).join(', ');
  return el('tr', {class: schedule.thread[step] === thread ? 'now' : null},
    el('th', {scope: 'row'}, el('span', {class: 'badge', style: `--thread:${threadColour(thread)}`}, `T${thread}`)),
    el('td', {}, schedule.standsText(thread, step)),
    el('td', {title: blocked ? blocked.why : null}, text || '—', blocked ? el('span', {class: 'blocked'}, ' waits') : null),
    el('td', {}, held || '—'));
}
