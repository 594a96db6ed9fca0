/* Finds steps that contain all the words, in the text of the row or in the function's name. */

function findSteps(schedule, text) {
  const wanted = text.toLowerCase().split(/\s+/).filter(word => word !== '');
  const hits = [];
  if (wanted.length === 0)
    return hits;
  for (let i = 0; i < schedule.count; i++) {
    const row = `t${schedule.thread[i]} ${schedule.text(i)} ${schedule.value(i)} ${schedule.functionName(i)} ${schedule.place(i)}`.toLowerCase();
    if (wanted.every(word => row.includes(word)))
      hits.push(i);
  }
  return hits;
}
