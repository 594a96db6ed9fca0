'use strict';
/* A schedule as the report holds it, and what follows from its steps: which thread holds which lock
 * when, which threads wait, which steps depend on each other, and the values of variables. */

const report = JSON.parse(document.getElementById('data').textContent);

const PREEMPTS = 1, FAILED = 2;

/* Values have up to 64 bits and no type. Small values are shown as numbers, others as addresses, of
 * which `brief` shows the end. */
function valueText(digits, size, brief) {
  if (digits === null)
    return '?';
  const value = BigInt(digits);
  const signed = BigInt.asIntN(8 * size, value);
  if (signed > -(1n << 31n) && signed < (1n << 40n))
    return signed.toString();
  const hex = value.toString(16);
  return brief && hex.length > 8 ? `0x…${hex.slice(-4)}` : '0x' + hex;
}

class Schedule {
  constructor(columns, waits) {
    Object.assign(this, columns);
    this.count = this.thread.length;
    this.waits = waits;
    this.valueOf = new Map(columns.values.map(([step, size, before, after]) => [step, {size, before, after}]));
    this.choiceOf = new Map(columns.choices.map(([step, choice, choices]) => [step, [choice, choices]]));
    this.numberSteps();
    this.findLocks();
    this.findWaits();
  }

  /* stepsOf: the steps of each thread. nth: the number of a step within its thread. */
  numberSteps() {
    this.stepsOf = new Map();
    this.usersOf = new Map(); /* by object */
    this.nth = new Int32Array(this.count);
    this.createdAt = new Map(); /* by thread */
    for (let i = 0; i < this.count; i++) {
      const own = listIn(this.stepsOf, this.thread[i]);
      this.nth[i] = own.length;
      own.push(i);
      if (this.object[i] !== 0)
        listIn(this.usersOf, this.object[i]).push(i);
      if (this.second[i] !== 0)
        listIn(this.usersOf, this.second[i]).push(i);
      if (this.operation(i).role === 'create')
        this.createdAt.set(Number(this.objectName(i).slice(1)), i);
    }
    for (const wait of this.waits)
      listIn(this.stepsOf, wait.thread);
    this.threads = [...this.stepsOf.keys()].sort((a, b) => a - b);
    this.laneOf = new Map(this.threads.map((thread, lane) => [thread, lane]));
  }

  operation(i) { return report.operations[this.kind[i]]; }
  objectName(i) { return this.names[this.name[i]]; }
  functionName(i) { return this.names[this.function[i]]; }
  preempts(i) { return (this.flags[i] & PREEMPTS) !== 0; }
  failed(i) { return (this.flags[i] & FAILED) !== 0; }
  switches(i) { return i > 0 && this.thread[i] !== this.thread[i - 1]; }

  text(i) {
    const name = this.objectName(i), choice = this.choiceOf.get(i);
    return this.operation(i).word + (name ? ' ' + name : '') + (this.failed(i) ? ' (fails)' : '') +
      (choice ? ` → ${choice[0]} of ${choice[1]}` : '');
  }

  /* "= 1" for a read, "0 → 1" for a change. */
  value(i) {
    const value = this.valueOf.get(i);
    if (value === undefined)
      return '';
    const before = valueText(value.before, value.size, true), after = valueText(value.after, value.size, true);
    const writes = this.operation(i).access === 'write' && !this.failed(i);
    if (!writes)
      return value.before === null ? '' : '= ' + before;
    return `${before} → ${after}`;
  }

  place(i) {
    return placeText(this.file[i], this.line[i]);
  }

  /* Finds stretches in which a thread holds a lock: {thread, object, name, from, to, shared,
   * slot}. */
  findLocks() {
    this.holds = [];
    const open = new Map(); /* by thread and object */
    const taken = new Map(); /* slots in use, by thread */
    const take = (i, object, name, shared) => {
      const key = this.thread[i] + ' ' + object;
      const hold = open.get(key);
      if (hold !== undefined) {
        hold.depth++; /* a recursive lock */
        return;
      }
      const slots = listIn(taken, this.thread[i]);
      let slot = slots.indexOf(undefined);
      if (slot < 0)
        slot = slots.length;
      slots[slot] = object;
      const begun = {thread: this.thread[i], object, name, from: i, to: this.count, shared, slot, depth: 1};
      open.set(key, begun);
      this.holds.push(begun);
    };
    const give = (i, object, whole) => {
      const key = this.thread[i] + ' ' + object, hold = open.get(key);
      if (hold === undefined || (--hold.depth > 0 && !whole))
        return;
      hold.to = i;
      open.delete(key);
      taken.get(this.thread[i])[hold.slot] = undefined;
    };
    for (let i = 0; i < this.count; i++) {
      const role = this.operation(i).role, name = this.objectName(i);
      if (this.failed(i))
        continue;
      if (role === 'take' || role === 'share')
        take(i, this.object[i], name, role === 'share');
      else if (role === 'give')
        give(i, this.object[i], false);
      else if (role === 'sleep')
        give(i, this.second[i], true);
      else if (role === 'wake')
        take(i, this.object[i], name.split(', ').pop(), false);
    }
    this.holdsOf = new Map();
    this.beginningsOf = new Map();
    for (const hold of this.holds) {
      listIn(this.holdsOf, hold.object).push(hold);
      listIn(this.beginningsOf, hold.object).push(hold.from);
    }
  }

  /* Finds stretches in which a thread is blocked: {thread, from, to, why}; `to` is the step that
   * ends it. */
  findWaits() {
    this.blocked = [];
    for (const [thread, own] of this.stepsOf)
      for (let k = 1; k < own.length; k++)
        this.findWait(thread, own[k - 1], own[k]);
    for (const wait of this.waits) {
      const own = this.stepsOf.get(wait.thread);
      this.blocked.push({thread: wait.thread, from: own.length ? own[own.length - 1] : -1, to: this.count,
                         why: waitText(wait)});
    }
  }

  findWait(thread, last, step) {
    const role = this.operation(step).role, name = this.objectName(step);
    if (role === 'wake') {
      this.blocked.push({thread, from: last, to: step, why: `sleeps on ${name}`});
    } else if (role === 'join') {
      const other = this.stepsOf.get(Number(name.slice(1)));
      if (other !== undefined && other[other.length - 1] > last)
        this.blocked.push({thread, from: last, to: other[other.length - 1] + 1, why: `waits for ${name} to end`});
    } else if ((role === 'take' || role === 'share') && !this.failed(step)) {
      for (const hold of this.holdsBetween(this.object[step], last, step))
        if (hold.thread !== thread && !(hold.shared && role === 'share'))
          this.blocked.push({thread, from: Math.max(last, hold.from), to: Math.min(step, hold.to),
                             why: `waits for ${name}, which T${hold.thread} holds`});
    }
  }

  /* Holds are sorted by their beginnings. There may be very many: the last one that can matter is
   * found by binary search. */
  holdsBetween(object, from, to) {
    const holds = this.holdsOf.get(object) || [], found = [];
    let at = countUpTo(this.beginningsOf.get(object) || [], to - 1) - 1;
    for (; at >= 0 && (holds[at].to > from || holds[at].shared); at--)
      if (holds[at].to > from)
        found.push(holds[at]);
    return found.reverse();
  }

  /* The nearest steps that a step follows or precedes because both use the same object. */
  dependences(i) {
    const edges = [];
    for (const object of [this.object[i], this.second[i]])
      if (object !== 0)
        edges.push(...this.conflicts(i, object));
    const role = this.operation(i).role, other = this.stepsOf.get(Number(this.objectName(i).slice(1)));
    if (role === 'create' && other !== undefined && other.length > 0)
      edges.push([i, other[0]]);
    if (role === 'join' && other !== undefined && other.length > 0)
      edges.push([other[other.length - 1], i]);
    return edges.filter(([earlier, later]) => earlier < later);
  }

  conflicts(i, object) {
    const users = this.usersOf.get(object), at = users.indexOf(i);
    const writes = step => this.operation(step).access === 'write' && !this.failed(step);
    const meets = step => this.thread[step] !== this.thread[i] && (writes(step) || writes(i));
    const edges = [];
    for (let k = at - 1; k >= 0; k--)
      if (meets(users[k])) {
        edges.push([users[k], i]);
        break;
      }
    for (let k = at + 1; k < users.length; k++)
      if (meets(users[k])) {
        edges.push([i, users[k]]);
        break;
      }
    return edges;
  }

  /* The value of each variable after a step, the last changed one first: {name, text, step}. */
  variables(step, most) {
    const seen = new Set(), rows = [];
    for (let i = step; i >= 0 && rows.length < most; i--) {
      const value = this.valueOf.get(i);
      if (value === undefined || seen.has(this.object[i]))
        continue;
      seen.add(this.object[i]);
      const digits = value.after !== null ? value.after : value.before;
      rows.push({name: this.objectName(i), text: valueText(digits, value.size), step: i, thread: this.thread[i]});
    }
    return rows;
  }

  nextStepOf(thread, step) {
    const own = this.stepsOf.get(thread);
    return own[countUpTo(own, step)];
  }

  /* The line at which a thread is after a step, that of its next operation: {file, line, function}.
   * null: the thread does not exist yet, has ended, or its line is unknown. */
  standsAt(thread, step) {
    const next = this.nextStepOf(thread, step), wait = this.waits.find(wait => wait.thread === thread);
    if (this.isUnborn(thread, step))
      return null;
    if (next !== undefined)
      return {file: this.file[next], line: this.line[next], function: this.functionName(next)};
    return wait === undefined || wait.at === null || wait.at.file === null ? null : wait.at;
  }

  isUnborn(thread, step) {
    const created = this.createdAt.get(thread);
    return created !== undefined && created > step;
  }

  standsText(thread, step) {
    const at = this.standsAt(thread, step);
    if (at !== null)
      return `${at.function || ''} ${placeText(at.file, at.line)}`;
    return this.isUnborn(thread, step) ? 'not begun' : this.nextStepOf(thread, step) === undefined ? 'no more steps' : '—';
  }

  heldBy(thread, step) {
    return this.holds.filter(hold => hold.thread === thread && hold.from <= step && step < hold.to);
  }
}

/* How many of rising numbers are at most `limit`. */
function countUpTo(numbers, limit) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

function listIn(map, key) {
  if (!map.has(key))
    map.set(key, []);
  return map.get(key);
}

function waitText(wait) {
  const owner = wait.owner !== null && report.operations[wait.kind].role !== 'join' ? `, which T${wait.owner} holds` : '';
  return `${wait.ever ? 'waits forever' : 'still waits'}: ${report.operations[wait.kind].word} ${wait.object}${owner}`;
}

function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

function placeText(file, line) {
  return file < 0 || file === null ? '' : `${baseName(report.sources[file].path)}:${line}`;
}

function siteText(at) {
  if (at === null)
    return '';
  const where = at.file === null ? (at.module ? `in ${at.module}` : '') : `${report.sources[at.file].path}:${at.line}`;
  return at.function ? `${at.function} ${where}` : where;
}
