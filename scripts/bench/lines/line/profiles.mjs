const MEGABIT = 1_000_000 / 8

/**
 * The lines that people have. `up` and `down` in Mbit/s as they are sold, `roundTripMs` beside the queue, `outage` in
 * seconds: so long at the end of every so many nothing passes. `jitterMs`: as much more, each way, at random.
 * `resetEveryMiB`: each time so much has passed, half of it more or less, the connection that carried the last of it is reset. `upMiB` and
 * `downMiB`: the file of a scenario with one.
 */
export const PROFILES = [
  { name: '2', title: '2/2 Mbit/s', up: 2, down: 2, upMiB: 32, downMiB: 32 },
  { name: '8', title: '8/8 Mbit/s', up: 8, down: 8, upMiB: 64, downMiB: 64 },
  { name: '16-1', title: '16/1 Mbit/s, 30 ms', up: 1, down: 16, roundTripMs: 30, upMiB: 16, downMiB: 128 },
  {
    name: '50-10',
    title: '50/10 Mbit/s, 80 ms, 3 s of every 20 s without line',
    up: 10,
    down: 50,
    roundTripMs: 80,
    outage: { everySeconds: 20, lastsSeconds: 3 },
    upMiB: 80,
    downMiB: 256,
  },
  {
    name: 'flaky',
    title: '20/5 Mbit/s, 60 ms and up to 80 more, a reset every 16 MiB',
    up: 5,
    down: 20,
    roundTripMs: 60,
    jitterMs: 40,
    resetEveryMiB: 16,
    upMiB: 40,
    downMiB: 160,
  },
  { name: '80', title: '80/80 Mbit/s', up: 80, down: 80, upMiB: 256, downMiB: 256 },
  { name: '100-40', title: '100/40 Mbit/s, 15 ms', up: 40, down: 100, roundTripMs: 15, upMiB: 192, downMiB: 384 },
  { name: '1000', title: '1,000/1,000 Mbit/s, 5 ms', up: 1000, down: 1000, roundTripMs: 5, upMiB: 1024, downMiB: 1024 },
  { name: 'satellite', title: '50/5 Mbit/s, 600 ms', up: 5, down: 50, roundTripMs: 600, upMiB: 40, downMiB: 256 },
  {
    name: 'train',
    title: '16/8 Mbit/s, 60 ms, 20 s of every 50 s without line',
    up: 8,
    down: 16,
    roundTripMs: 60,
    outage: { everySeconds: 50, lastsSeconds: 20 },
    upMiB: 64,
    downMiB: 128,
  },
]

/** Of a profile, bytes a second and way, headers of the packets included. */
export function bytesPerSecond(profile, way) {
  return profile[way] * MEGABIT
}
