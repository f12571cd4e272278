/* Plays a replay as a film, and steps through it without loading the page anew. Each frame is a link of its own, and
   without this script the page steps by those. */

const AHEAD = 8; // frames fetched before they are needed
const AT_ONCE = 3;
const KEPT = 80;
const STEADY_MS = 1200; // a frame of a game by turns
const SLEPT_MS = 250; // a page that was out of sight goes on where it was
const ADDRESS_AFTER_MS = 200; // browsers do not let pages change their address all the time
const PARTS = [".prompt", ".board", ".hand", ".players", ".stepper", ".eyes", ".picture"];
const SPEED = "tesela-film-speed"; // kept as long as the tab: whose eyes one looks through is another page
const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

const page = document.getElementById("replay");
const playback = document.getElementById("playback");
const button = document.getElementById("play");
const slide = document.getElementById("slide");
const speed = document.getElementById("speed");
const list = page.querySelector(".log-lines");

const times = playback.dataset.times.split(" ").map(Number);
const last = times.length - 1;
const inRealTime = playback.dataset.realTime === "yes";
const seatQuery = playback.dataset.query;

const dueAt = (frame) => (inRealTime ? times[frame] : frame * STEADY_MS);
const addressOf = (frame) => playback.dataset.address.replace(/0\/$/, `${frame}/`) + seatQuery;
const frameOf = (link) => Number(/\/replay\/(\d+)\//.exec(link.href)[1]);

let shown = Number(playback.dataset.frame);
let now = dueAt(shown); // the film's own time, in ms
let playing = false;
let wall = 0; // when the film's time was last moved on
let addressing = 0;
let wanted = shown; // the last frame that was asked for: an older answer is not shown

/* The time of the match as the film shows it: boards count down by it as they did then. */
window.tesela = { matchNow: () => (inRealTime ? now : times[shown]) };

/* --- frames, fetched ahead --- */

const ready = new Map(); // by number, the page's parts as text; the oldest first
const underWay = new Map();

function fetchFrame(frame) {
  if (ready.has(frame)) return Promise.resolve(ready.get(frame));
  if (underWay.has(frame)) return underWay.get(frame);
  const address = addressOf(frame) + (seatQuery ? "&" : "?") + "part=1";
  const answer = fetch(address)
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(String(response.status)))))
    .then((text) => {
      ready.set(frame, text);
      if (ready.size > KEPT) ready.delete(ready.keys().next().value);
      return text;
    })
    .finally(() => underWay.delete(frame));
  underWay.set(frame, answer);
  return answer;
}

function fetchAhead() {
  for (let frame = shown + 1; frame <= Math.min(last, shown + AHEAD) && underWay.size < AT_ONCE; frame += 1) {
    // A frame that can't be had now is asked for again when it is due; who steps to it gets its page instead.
    if (!ready.has(frame) && !underWay.has(frame)) fetchFrame(frame).then(fetchAhead, () => {});
  }
}

/* --- showing one --- */

function draw(frame, text) {
  const drawn = new DOMParser().parseFromString(text, "text/html");
  const step = document.activeElement?.closest(".stepper [data-step]")?.dataset.step;
  for (const part of PARTS) {
    const [old, fresh] = [page.querySelector(part), drawn.querySelector(part)];
    if (!old || !fresh) continue;
    old.className = fresh.className;
    if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...document.adoptNode(fresh).childNodes);
  }
  if (step) page.querySelector(`[data-step=${step}]`)?.focus({ preventScroll: true });
  shown = frame;
  slide.value = frame;
  tellPlace();
  mark();
  clearTimeout(addressing);
  addressing = setTimeout(() => history.replaceState(null, "", addressOf(shown)), ADDRESS_AFTER_MS);
  document.dispatchEvent(new CustomEvent("tesela:drawn"));
}

function tellPlace() {
  slide.setAttribute("aria-valuetext", page.querySelector(".step-number").innerText);
}

/* Between frames the time runs on. */
function tellTime() {
  const place = page.querySelector(".step-time");
  if (!place || shown === last) return;
  const time = Math.floor(now);
  const seconds = String(Math.floor(time / 1000) % 60).padStart(2, "0");
  place.textContent = `${Math.floor(time / 60000)}:${seconds}.${String(time % 1000).padStart(3, "0")}`;
}

/* The list shows the last of what has happened by now, without moving the page. */
function mark() {
  let current = null;
  for (const link of list.querySelectorAll("a")) {
    if (frameOf(link) > shown) break;
    current = link;
  }
  const before = list.querySelector("[aria-current]");
  if (before !== current) {
    before?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "step");
  }
  list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

/* Goes there at once, and plays on from there if the film plays. */
function go(frame) {
  wanted = Math.max(0, Math.min(last, frame));
  const asked = wanted;
  fetchFrame(asked).then(
    (text) => {
      if (asked !== wanted) return;
      now = dueAt(asked);
      draw(asked, text);
      fetchAhead();
    },
    () => location.assign(addressOf(asked)),
  );
}

/* --- playing --- */

function setPlaying(on) {
  playing = on;
  button.textContent = on ? button.dataset.pause : button.dataset.play;
  // Nobody listens to every frame of a film.
  page.querySelector(".prompt").setAttribute("aria-live", on ? "off" : "polite");
  if (!on) return;
  if (shown === last) {
    now = 0;
    go(0);
  }
  wall = performance.now();
  requestAnimationFrame(play);
}

function play(moment) {
  if (!playing) return;
  if (wanted === shown) {
    now += Math.min(Math.max(0, moment - wall), SLEPT_MS) * Number(speed.value);
    showDue();
    tellTime();
  }
  wall = moment;
  if (wanted === last && shown === last) setPlaying(false);
  else requestAnimationFrame(play);
}

/* Shows what is due by now. Time stands still at a frame that has not arrived yet: nothing is left out. */
function showDue() {
  let due = shown;
  while (due < last && dueAt(due + 1) <= now && ready.has(due + 1)) due += 1;
  if (due < last && dueAt(due + 1) < now) {
    now = dueAt(due + 1);
    fetchFrame(due + 1).catch(() => setPlaying(false));
  }
  if (due === shown) return;
  wanted = due;
  draw(due, ready.get(due));
  fetchAhead();
}

/* --- the speed --- */

/* A browser may keep nothing for a page: then each page begins at the usual speed. */
function keepSpeed(value) {
  try {
    sessionStorage.setItem(SPEED, value);
  } catch { /* it still holds for this page */ }
}

function recallSpeed() {
  try {
    const kept = sessionStorage.getItem(SPEED);
    if ([...speed.options].some((option) => option.value === kept)) speed.value = kept;
  } catch { /* the usual one */ }
}

/* --- by hand --- */

button.addEventListener("click", () => setPlaying(!playing));
slide.addEventListener("input", () => go(Number(slide.value)));
speed.addEventListener("change", () => keepSpeed(speed.value));

page.addEventListener("click", (event) => {
  const link = event.target.closest(".stepper a, .log-lines a");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(frameOf(link));
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("textarea, select, [role=tablist], input:not([type=range])")) return;
  if (event.key === " ") {
    if (event.target.closest("button, summary")) return; // the key presses these
    event.preventDefault();
    setPlaying(!playing);
    return;
  }
  const steps = { first: 0, prev: wanted - 1, next: wanted + 1, last };
  if (!(event.key in KEYS) || event.target === slide) return; // the slider moves by these keys itself
  event.preventDefault();
  if (steps[KEYS[event.key]] >= 0 && steps[KEYS[event.key]] <= last) go(steps[KEYS[event.key]]);
});

recallSpeed();
playback.hidden = false;
page.classList.add("plays");
tellPlace();
mark();
fetchAhead();
