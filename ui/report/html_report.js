'use strict';
(() => {
  const card = document.getElementById('card');
  const told = new Map();
  for (const zone of document.querySelectorAll('.z')) {
    const title = zone.querySelector('title');
    if (!title) continue;
    told.set(zone, title.textContent.split('\n'));
    title.remove();
  }
  const add = (parent, tag, text, name) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (name) made.className = name;
    parent.append(made);
    return made;
  };
  const fill = (zone) => {
    const [first, ...lines] = told.get(zone);
    const {who = '', hue, right = ''} = zone.dataset;
    card.replaceChildren();
    const head = add(card, 'div', '', 'head');
    if (who) add(head, 'span', who, 'who w' + hue);
    add(head, 'span', first.slice(who ? who.length + 1 : 0, right ? -right.length - 3 : undefined));
    add(head, 'span', right);
    const list = add(card, 'dl');
    for (const line of lines) {
      const at = line.indexOf(': ');
      if (line.startsWith('! ')) {
        add(card, 'div', line.slice(2), 'warning');
      } else {
        add(list, 'dt', line.slice(0, at));
        add(list, 'dd', line.slice(at + 2));
      }
    }
  };
  const place = (zone, x) => {
    const row = zone.getBoundingClientRect();
    const size = card.getBoundingClientRect();
    let y = row.bottom + 10;
    if (y + size.height > innerHeight) y = row.top - 10 - size.height;
    if (y < 0) y = Math.max(4, innerHeight - size.height - 4);
    card.style.left = Math.max(4, Math.min(x + 12, innerWidth - size.width - 4)) + 'px';
    card.style.top = y + 'px';
  };
  let shown = null;
  const show = (zone, x) => {
    if (zone !== shown) {
      shown = zone;
      card.hidden = !zone;
      if (zone) fill(zone);
    }
    if (zone) place(zone, x);
  };
  const under = (event) => {
    const zone = event.target.closest ? event.target.closest('.z') : null;
    return told.has(zone) ? zone : null;
  };
  document.addEventListener('pointermove', (event) => show(under(event), event.clientX));
  document.addEventListener('pointerdown', (event) => show(under(event), event.clientX));
  document.addEventListener('focusin', (event) => {
    const zone = event.target.querySelector ? event.target.querySelector('.z') : null;
    if (zone && event.target.matches('a:focus-visible')) show(zone, zone.getBoundingClientRect().left);
  });
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') show(null, 0); });
  document.addEventListener('scroll', () => show(null, 0), {passive: true});
})();
