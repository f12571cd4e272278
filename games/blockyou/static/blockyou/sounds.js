/* Short soft notes, where the player wants sounds and has touched the page: the countdown, the opening, the call. */

let audio = null;

function play(...notes) {
  if (document.getElementById("live")?.dataset.sound !== "on" || !navigator.userActivation?.hasBeenActive) return;
  try {
    audio ??= new AudioContext();
    for (const { frequency, after, lasts } of notes) note(frequency, audio.currentTime + after, lasts);
  } catch {
    // No sound here: all of it is seen too.
  }
}

function note(frequency, start, lasts) {
  const wave = audio.createOscillator();
  const volume = audio.createGain();
  wave.frequency.value = frequency;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.07, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  wave.connect(volume).connect(audio.destination);
  wave.start(start);
  wave.stop(start + lasts + 0.05);
}

export const tick = () => play({ frequency: 440, after: 0, lasts: 0.12 });
export const go = () => play({ frequency: 880, after: 0, lasts: 0.3 });
export const call = () => play(
  { frequency: 587.33, after: 0, lasts: 0.18 },
  { frequency: 783.99, after: 0.11, lasts: 0.35 },
);
