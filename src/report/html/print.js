/* Paper does not scroll: prints the steps of all findings as tables, long ones without their
 * middle. */

const PAPER_START = 60, PAPER_END = 240;

function drawPaper(container, findings) {
  container.replaceChildren(...findings.map((finding, i) => {
    const schedule = finding.schedule, rows = [];
    for (let step = 0; step < schedule.count; step++) {
      const last = schedule.count - PAPER_END;
      if (step === PAPER_START && last > PAPER_START + 1) {
        rows.push(el('tr', {}, el('td', {colspan: 5}, `… ${last - PAPER_START} more steps`)));
        step = last;
      }
      rows.push(el('tr', {class: finding.marked.has(step) ? 'marked' : null},
        ...[String(step), `T${schedule.thread[step]}`, schedule.text(step), schedule.value(step),
            `${schedule.functionName(step)} ${schedule.place(step)}`].map(text => el('td', {}, text))));
    }
    for (const wait of schedule.waits)
      rows.push(el('tr', {class: 'marked'}, el('td', {}), el('td', {}, `T${wait.thread}`), el('td', {colspan: 3}, waitText(wait))));
    return el('section', {}, el('h2', {}, `${i + 1}. ${headline(finding.data)}`), el('p', {}, finding.data.why || ''),
              el('table', {}, el('thead', {}, el('tr', {}, ...['step', 'thread', 'operation', 'value', 'where'].map(title => el('th', {}, title)))),
                 el('tbody', {}, ...rows)));
  }));
}
