/* Helpers for elements, and long lists of which only the visible rows are in the document. */

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on'))
      element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
}

const LONGEST = 8e6; /* pixels; browsers cannot scroll much further */

/* A list of `count` rows of `height` pixels each. It calls draw(from, to, top) with the visible
 * rows, and where row 0 would begin in the layer. */
class LongList {
  constructor(container, height, draw) {
    this.height = height;
    this.draw = draw;
    this.count = 0;
    this.layer = el('div', {class: 'layer'});
    this.spacer = el('div', {class: 'spacer'}, this.layer);
    this.view = container;
    this.view.append(this.spacer);
    this.view.addEventListener('scroll', () => this.redraw(), {passive: true});
    new ResizeObserver(() => this.redraw()).observe(this.view);
  }

  setCount(count) {
    this.count = count;
    this.whole = count * this.height;
    this.spacer.style.height = Math.min(this.whole, LONGEST) + 'px';
  }

  room() {
    return this.view.clientHeight;
  }

  /* The first visible pixel of the whole list. */
  top() {
    const longest = Math.min(this.whole, LONGEST) - this.room();
    if (longest <= 0)
      return 0;
    return this.view.scrollTop / longest * (this.whole - this.room());
  }

  redraw() {
    if (this.room() === 0)
      return; /* the list is not shown */
    const top = this.top();
    this.layer.style.height = this.room() + 'px';
    const from = Math.max(0, Math.floor(top / this.height) - 2);
    const to = Math.min(this.count, Math.ceil((top + this.room()) / this.height) + 2);
    this.draw(from, to, -top);
  }

  /* Brings a row into view, with some rows around it; `centre`: into the middle. */
  show(row, centre) {
    const margin = Math.min(3 * this.height, this.room() / 4);
    const at = row * this.height, top = this.top();
    let wanted = top;
    if (centre)
      wanted = at - this.room() / 2;
    else if (at - margin < top)
      wanted = at - margin;
    else if (at + this.height + margin > top + this.room())
      wanted = at + this.height + margin - this.room();
    const whole = this.whole - this.room(), longest = Math.min(this.whole, LONGEST) - this.room();
    if (wanted !== top && whole > 0)
      this.view.scrollTop = Math.max(0, Math.min(whole, wanted)) / whole * longest;
    this.redraw();
  }
}
