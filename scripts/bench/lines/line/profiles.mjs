/** Bytes. */
export const MEGABIT = 1_000_000 / 8

/**
 * The lines that people have. `up` and `down` are in Mbit/s as sold, and so is what a single `connection` carries at
 * most, where distance or the service limits it. `roundTripMs` is without queueing; `outage` is in seconds: nothing
 * passes for the last `lastsSeconds` of every `everySeconds`. `jitterMs` is the most that is added each way, at random.
 * `resetEveryMiB`: each time this much has passed, give or take half, the connection that carried the last of it is
 * reset. `upMiB` and `downMiB` are the sizes of the file in scenarios with one.
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
  {
    name: 'capped',
    title: '80/80 Mbit/s, 60 ms, 8 Mbit/s a connection',
    up: 80,
    down: 80,
    connection: 8,
    roundTripMs: 60,
    upMiB: 256,
    downMiB: 256,
  },
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

/** A profile's bytes a second in one direction, including packet headers. */
export function bytesPerSecond(profile, way) {
  return profile[way] * MEGABIT
}
