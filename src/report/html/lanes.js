/* One schedule as lanes: each thread has a lane, time runs down. Beside the steps: locks held as
 * bars, waits as dotted lines, arrows, and at the right an overview of all steps. */

const ROW = 24, GUTTER = 52, LANE_LEAST = 170, OVERVIEW = 18;
const TEXT = 34; /* where the text of a lane begins */
const colours = 8; /* --thread-0 to --thread-7 of the style sheet */

function threadColour(thread) {
  return `var(--thread-${thread % colours})`;
}

class Lanes {
  /* about: {title, brief, schedule, marked, matters, orders, repeats, choose} */
  constructor(container, about) {
    Object.assign(this, about);
    this.chosen = 0;
    this.hits = new Set();
    this.layOut();
    this.head = el('div', {class: 'lane-heads'});
    this.view = el('div', {class: 'lanes', tabindex: 0, role: 'listbox', 'aria-label': this.title});
    this.overview = el('canvas', {class: 'overview', width: OVERVIEW, title: 'all steps; click to go there'});
    const usual = this.usual < 0 || this.brief ? '' : `; lines without a file are of ${baseName(report.sources[this.usual].path)}`;
    container.replaceChildren(el('h3', {class: 'schedule-title'}, this.title + usual),
                              el('div', {class: 'lanes-row'}, this.view, this.overview));
    this.view.append(this.head);
    this.list = new LongList(this.view, ROW, (from, to, top) => this.draw(from, to, top));
    this.list.setCount(this.rows.length);
    this.view.addEventListener('click', event => this.click(event));
    this.overview.addEventListener('click', event => this.clickOverview(event));
  }

  /* Makes the rows: the steps, a line where a thread is preempted, and the threads that wait at the
   * end. */
  layOut() {
    const schedule = this.schedule;
    this.rows = [];
    this.usual = commonest(schedule.file);
    this.rowOf = new Int32Array(schedule.count + 1);
    for (let i = 0; i < schedule.count; i++) {
      if (schedule.preempts(i))
        this.rows.push({preempted: schedule.thread[i - 1], by: i});
      this.rowOf[i] = this.rows.length;
      this.rows.push({step: i});
    }
    this.rowOf[schedule.count] = this.rows.length;
    for (const wait of schedule.waits)
      this.rows.push({wait});
    this.arrows = this.findArrows();
  }

  laneWidth() {
    const lanes = Math.max(1, this.schedule.threads.length);
    return Math.max(LANE_LEAST, Math.floor((this.view.clientWidth - GUTTER) / lanes));
  }

  laneLeft(thread) {
    return GUTTER + this.schedule.laneOf.get(thread) * this.width;
  }

  choose_(step) {
    this.chosen = step;
    this.list.show(this.rowOf[step]);
    const left = this.laneLeft(this.schedule.thread[step]), view = this.view;
    if (left < view.scrollLeft + GUTTER || left + this.width > view.scrollLeft + view.clientWidth)
      view.scrollLeft = left - GUTTER - (view.clientWidth - GUTTER - this.width) / 2;
    view.setAttribute('aria-activedescendant', this.rowName(step));
  }

  rowName(step) {
    return `${this.view.parentElement.parentElement.id}-${step}`;
  }

  redraw() {
    this.list.redraw();
    this.drawOverview();
  }

  draw(from, to, top) {
    this.width = this.laneWidth();
    const whole = GUTTER + this.width * this.schedule.threads.length;
    this.list.spacer.style.width = this.head.style.width = whole + 'px';
    this.drawHeads();
    const parts = [];
    for (let row = from; row < to; row++)
      parts.push(this.drawRow(row, top + row * ROW));
    this.list.layer.replaceChildren(this.drawMarks(from, to, top, whole), ...parts);
  }

  drawHeads() {
    if (this.head.childElementCount === this.schedule.threads.length && this.headWidth === this.width)
      return;
    this.headWidth = this.width;
    this.head.replaceChildren(...this.schedule.threads.map(thread =>
      el('span', {class: 'lane-head', style: `left:${this.laneLeft(thread)}px;width:${this.width}px;--thread:${threadColour(thread)}`},
         `T${thread}`)));
  }

  drawRow(row, top) {
    const what = this.rows[row];
    if (what.preempted !== undefined)
      return el('div', {class: 'row preempted' + (this.matters.has(what.by) ? ' matters' : ''), style: `top:${top}px`},
                this.cell(what.preempted, `T${what.preempted} is preempted`));
    if (what.wait !== undefined)
      return el('div', {class: 'row waits', style: `top:${top}px`},
                el('span', {class: 'number'}, 'waits'),
                this.cell(what.wait.thread, `${report.operations[what.wait.kind].word} ${what.wait.object}`,
                          what.wait.at === null ? '' : this.placeText(what.wait.at.file, what.wait.at.line)));
    return this.drawStep(what.step, top);
  }

  drawStep(step, top) {
    const schedule = this.schedule;
    const classes = ['row'];
    if (step === this.chosen)
      classes.push('chosen');
    if (this.marked.has(step))
      classes.push('marked');
    if (this.hits.has(step))
      classes.push('hit');
    if (this.matters.has(step))
      classes.push('matters');
    const value = schedule.value(step);
    const full = `T${schedule.thread[step]} ${schedule.text(step)} ${value} ${schedule.functionName(step)} ${schedule.place(step)}`;
    return el('div', {class: classes.join(' '), style: `top:${top}px`, role: 'option', id: this.rowName(step), title: full,
                      'data-step': step, 'aria-selected': step === this.chosen, 'aria-setsize': schedule.count, 'aria-posinset': step + 1},
              el('span', {class: 'number'}, String(step), this.repeats(step) ? ' ↻' : ''),
              this.cell(schedule.thread[step], schedule.text(step), this.placeText(schedule.file[step], schedule.line[step]), value));
  }

  /* The file of most steps is left out: there is little room. */
  placeText(file, line) {
    return file === this.usual ? `:${line}` : placeText(file, line);
  }

  cell(thread, text, place, value) {
    return el('span', {class: 'cell', style: `left:${this.laneLeft(thread)}px;width:${this.width}px;--thread:${threadColour(thread)}`},
              el('span', {class: 'what'}, text), value ? el('span', {class: 'value'}, value) : null,
              place ? el('span', {class: 'place'}, place) : null);
  }

  /* Draws bars, waits and arrows of the visible rows. */
  drawMarks(from, to, top, whole) {
    const end = this.rows.length, rowOf = step => step < 0 ? 0 : this.rowOf[step];
    const middle = step => top + (step >= this.schedule.count ? end - 0.5 : rowOf(step) + 0.5) * ROW;
    const visible = (one, other) => (other >= this.schedule.count ? end : this.rowOf[other]) >= from && rowOf(one) < to;
    const marks = svg('svg', {class: 'marks', width: whole, height: this.list.room()}, arrowHeads());
    for (const thread of this.schedule.threads)
      marks.append(svg('line', {class: 'lane', x1: this.laneLeft(thread), x2: this.laneLeft(thread), y1: 0, y2: this.list.room()}));
    for (const wait of this.schedule.blocked)
      if (visible(wait.from, wait.to))
        marks.append(this.drawWait(wait, middle(wait.from), middle(wait.to)));
    for (const hold of this.schedule.holds)
      if (visible(hold.from, hold.to))
        marks.append(this.drawHold(hold, middle(hold.from), middle(hold.to)));
    for (const [earlier, later] of this.schedule.count > 0 ? this.schedule.dependences(this.chosen) : [])
      if (visible(earlier, later))
        marks.append(this.drawArrow(this.rowOf[earlier], this.rowOf[later], top, 'depends', `step ${earlier} comes before step ${later}`));
    for (const [earlier, later, text] of this.arrows)
      if (later >= from && earlier < to)
        marks.append(this.drawArrow(earlier, later, top, 'order', text));
    return marks;
  }

  drawHold(hold, y1, y2) {
    const x = this.laneLeft(hold.thread) + 4 + 5 * Math.min(hold.slot, 3);
    return svg('rect', {class: hold.shared ? 'hold shared' : 'hold', x, y: y1 - 5, width: 4, height: Math.max(10, y2 - y1 + 10), rx: 2,
                        style: `--thread:${threadColour(hold.thread)}`},
               svg('title', {}, `T${hold.thread} holds ${hold.name}`));
  }

  drawWait(wait, y1, y2) {
    const x = this.laneLeft(wait.thread) + TEXT - 11;
    return svg('line', {class: 'wait', x1: x, x2: x, y1: y1 + 9, y2: Math.max(y1 + 10, y2 - 9)}, svg('title', {}, `T${wait.thread} ${wait.why}`));
  }

  rowThread(row) {
    const what = this.rows[row];
    return what.wait !== undefined ? what.wait.thread : this.schedule.thread[what.step];
  }

  /* The row of a thread's step, or of the thread's wait at the end for a step that never came. */
  rowOfStep(step, thread) {
    if (step < this.schedule.count)
      return this.rowOf[step];
    const row = this.rows.findIndex(what => what.wait !== undefined && what.wait.thread === thread);
    return row >= 0 ? row : this.rows.length - 1;
  }

  /* Arrows between rows because the finding shows only in this order: [earlier, later, text]. */
  findArrows() {
    const arrows = this.orders.filter(order => order.earlier < this.schedule.count).map(order =>
      [this.rowOf[order.earlier], this.rowOfStep(order.later, order.later_thread), order.text]);
    for (const wait of this.schedule.waits)
      for (const hold of this.schedule.holds)
        if (hold.thread === wait.owner && hold.name === wait.object && hold.to === this.schedule.count)
          arrows.push([this.rowOf[hold.from], this.rowOfStep(Infinity, wait.thread), `T${wait.thread} waits for ${hold.name}, which T${hold.thread} has taken here`]);
    return arrows.filter(([earlier, later], i) => earlier < later &&
      arrows.findIndex(other => other[0] === earlier && other[1] === later) === i);
  }

  /* The arrow runs down beside the text of the earlier row's lane, then along the later row, which
   * is empty up to its lane. */
  drawArrow(earlier, later, top, kind, text) {
    const y1 = top + earlier * ROW + ROW / 2, y2 = top + later * ROW + ROW / 2, bend = 7;
    const x1 = this.laneLeft(this.rowThread(earlier)) + TEXT - 5, left = this.laneLeft(this.rowThread(later));
    const rightwards = left + TEXT > x1;
    const x2 = rightwards ? left + TEXT - 2 : left + this.width - 3, side = rightwards ? bend : -bend;
    return svg('g', {class: `arrow ${kind}`},
               svg('circle', {cx: x1, cy: y1, r: 2.5}),
               svg('path', {'marker-end': `url(#head-${kind})`,
                            d: `M${x1},${y1} V${y2 - bend} Q${x1},${y2} ${x1 + side},${y2} H${x2}`}),
               svg('title', {}, text));
  }

  /* Draws a line of pixels for each few rows, in the colours of their threads. Marked rows are full
   * width. */
  drawOverview() {
    const canvas = this.overview, height = this.list.room(), style = getComputedStyle(document.documentElement);
    if (height === 0)
      return;
    canvas.height = height;
    const context = canvas.getContext('2d'), count = Math.max(1, this.rows.length);
    const colour = name => style.getPropertyValue(name).trim();
    const shown = Math.min(height, count * 3);
    for (let y = 0; y < shown; y++) {
      const row = this.rows[Math.floor(y / shown * count)];
      const thread = row.step !== undefined ? this.schedule.thread[row.step] : -1;
      context.fillStyle = thread < 0 ? colour('--faint') : colour(`--thread-${thread % colours}`);
      context.fillRect(4, y, OVERVIEW - 8, 1);
    }
    const mark = (steps, name, height_) => {
      context.fillStyle = colour(name);
      for (const step of steps)
        context.fillRect(0, this.rowOf[step] / count * shown, OVERVIEW, height_);
    };
    mark(this.hits, '--hit', 2);
    mark(this.marked, '--bad', 3);
    mark([this.chosen], '--ink', 2);
    this.overviewRows = count / shown;
  }

  click(event) {
    const row = event.target.closest('[data-step]');
    if (row !== null)
      this.choose(Number(row.dataset.step));
  }

  clickOverview(event) {
    const row = Math.min(this.rows.length - 1, Math.floor(event.offsetY * this.overviewRows));
    const step = countUpTo(this.rowOf.subarray(0, this.schedule.count), row) - 1;
    this.choose(Math.max(0, step));
  }
}

function commonest(numbers) {
  const counts = new Map();
  for (const number of numbers)
    counts.set(number, (counts.get(number) || 0) + 1);
  return [...counts].reduce((best, row) => row[1] > best[1] ? row : best, [-1, 0])[0];
}

function arrowHeads() {
  return svg('defs', {}, ...['order', 'depends'].map(kind =>
    svg('marker', {id: `head-${kind}`, class: `head ${kind}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto'},
        svg('path', {d: 'M0,0 L8,4 L0,8 z'}))));
}
