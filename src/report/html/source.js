/* The source of the chosen step, with the line at which each thread is. */

const LINE = 20;
const words = new Set(('alignas auto bool break case catch char class const constexpr continue default delete do ' +
  'double else enum extern false float for goto if inline int long namespace new noexcept nullptr operator private ' +
  'protected public register return short signed sizeof static struct switch template this throw true try typedef ' +
  'typename union unsigned using virtual void volatile while NULL').split(' '));
const tokens = /(\/\/.*|\/\*.*?(?:\*\/|$)|^\s*#\s*\w+)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|([A-Za-z_]\w*)|(\d[\w.]*)/g;

class Source {
  constructor(container) {
    this.title = el('h3', {});
    this.view = el('div', {class: 'code', tabindex: 0});
    container.replaceChildren(this.title, this.view);
    this.list = new LongList(this.view, LINE, (from, to, top) => this.draw(from, to, top));
    this.file = null;
    this.lines = [];
    this.comments = [];
    this.marks = new Map(); /* threads by line */
    this.list.setCount(0);
  }

  open(file) {
    if (file === this.file)
      return;
    this.file = file;
    const source = file < 0 ? null : report.sources[file];
    const text = source === null || source.text === null ? null : source.text;
    this.title.textContent = source === null ? 'Source' : source.path;
    this.lines = text !== null ? text.split('\n') :
      [source === null ? 'the step has no source line: build with -g' : 'the source could not be read when the report was made'];
    this.known = text !== null;
    this.comments = this.findComments();
    this.list.setCount(this.lines.length);
  }

  /* comments[i]: line i begins inside a comment. */
  findComments() {
    const inside = [];
    let open = false;
    for (const line of this.lines) {
      inside.push(open);
      const plain = open ? line : line.replace(/"(?:[^"\\]|\\.)*"|\/\/.*/g, '');
      const last = plain.lastIndexOf('*/');
      open = plain.lastIndexOf('/*') > last || (open && last < 0);
    }
    return inside;
  }

  /* Shows the line of the chosen step, and where all threads are then. */
  show(schedule, step) {
    this.open(schedule.file[step]);
    this.line = schedule.line[step];
    this.marks = new Map();
    this.thread = schedule.thread[step];
    for (const thread of schedule.threads) {
      const at = thread === this.thread ? {file: schedule.file[step], line: this.line} : schedule.standsAt(thread, step);
      if (at !== null && at.file === this.file)
        listIn(this.marks, at.line).push(thread);
    }
    this.list.show(Math.max(0, (this.known ? this.line : 1) - 1));
  }

  draw(from, to, top) {
    const rows = [];
    for (let i = from; i < to; i++) {
      const threads = this.known ? this.marks.get(i + 1) || [] : [];
      const chosen = this.known && i + 1 === this.line;
      rows.push(el('div', {class: chosen ? 'line chosen' : threads.length > 0 ? 'line at' : 'line', style: `top:${top + i * LINE}px;--thread:${threadColour(this.thread)}`},
        el('span', {class: 'badges'}, ...threads.slice(0, 3).map(thread =>
          el('span', {class: 'badge', style: `--thread:${threadColour(thread)}`}, `T${thread}`)), threads.length > 3 ? '…' : ''),
        el('span', {class: 'number'}, this.known ? String(i + 1) : ''),
        el('code', {}, ...this.coloured(i))));
    }
    this.list.layer.replaceChildren(...rows);
  }

  coloured(i) {
    const line = this.lines[i].replace(/\t/g, '    ');
    if (!this.known)
      return [line];
    let rest = line, parts = [];
    if (this.comments[i]) {
      const end = line.indexOf('*/');
      const stop = end < 0 ? line.length : end + 2;
      parts.push(el('i', {class: 'comment'}, line.slice(0, stop)));
      rest = line.slice(stop);
    }
    let at = 0;
    for (const match of rest.matchAll(tokens)) {
      const kind = match[1] ? 'comment' : match[2] ? 'string' : match[3] ? (words.has(match[3]) ? 'keyword' : null) : 'digits';
      if (kind === null)
        continue;
      parts.push(rest.slice(at, match.index), el('i', {class: kind}, match[0]));
      at = match.index + match[0].length;
    }
    parts.push(rest.slice(at));
    return parts;
  }
}
