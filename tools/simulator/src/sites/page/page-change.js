// A page as its platform has changed it: every element is rewritten before another script of the page can read it.
import { element } from './elements.js';

const labels = ['aria-label', 'placeholder', 'title'];
let change = null;

/** Takes effect once, and for everything that the page already shows. */
export function changePage(wanted) {
  if (change !== null || !wanted) return;
  change = wanted;
  if (change.gate) return showGate(change.gate);
  const options = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(changed).observe(document.documentElement, options);
  rewriteTree(document.body);
  rearrange();
}

function changed(records) {
  for (const { type, target, addedNodes } of records) {
    if (type === 'childList') for (const node of addedNodes) rewriteTree(node);
    else if (type === 'characterData') rewriteText(target);
    else rewriteAttributes(target);
  }
  rearrange();
}

function rewriteTree(root) {
  if (root.nodeType === Node.TEXT_NODE) return rewriteText(root);
  if (root.nodeType !== Node.ELEMENT_NODE) return;
  rewriteAttributes(root);
  for (const child of root.childNodes) rewriteTree(child);
}

function rewriteText(node) {
  const to = change.texts?.[node.data];
  if (to !== undefined) node.data = to;
}

function rewriteAttributes(target) {
  for (const [name, values] of Object.entries(change.attributes ?? {})) {
    for (const held of name === 'class' ? [...target.classList] : [target.getAttribute(name)]) {
      const to = values[held];
      if (to === undefined) continue;
      if (name === 'class') target.classList.replace(held, to);
      else if (to === null) target.removeAttribute(name);
      else target.setAttribute(name, to);
    }
  }
  for (const name of labels) {
    const to = change.texts?.[target.getAttribute(name)];
    if (to !== undefined) target.setAttribute(name, to);
  }
}

function rearrange() {
  for (const { what, into } of change.moves ?? []) {
    const moved = document.querySelector(what);
    const place = document.querySelector(into);
    if (moved && place && !place.contains(moved)) place.append(moved);
  }
  if (change.dialog && document.querySelector(change.dialog.over)) showDialog(change.dialog);
}

function showDialog({ text, button }) {
  change = { ...change, dialog: undefined };
  const screen = document.getElementById('screen');
  screen.inert = true;
  const press = () => {
    screen.inert = false;
    scrim.remove();
  };
  const box = element('div', { role: 'dialog', 'aria-modal': 'true', class: 'card' }, element('p', {}, text));
  box.append(element('button', { type: 'button', click: press }, button));
  const scrim = element('div', { class: 'scrim' }, box);
  document.body.append(scrim);
}

function showGate({ heading, help }) {
  const box = element('div', { class: 'gate', 'data-challenge': 'hold' }, element('h1', {}, heading));
  box.append(element('p', {}, help), element('button', { type: 'button' }, 'Press and hold'));
  box.style.cssText = 'width: 480px; margin: 20vh auto';
  document.getElementById('screen').style.display = 'none';
  document.body.append(box);
}
