import type { Place } from '../../shared/place/place.ts'

/** Whether every word of a text occurs in a place's name, label or address, ignoring case. */
export function matchesPlace(place: Pick<Place, 'name' | 'label' | 'endpoint' | 'bucket'>, text: string): boolean {
  const { name, label = '', endpoint, bucket } = place
  const whole = [name, label, endpoint, bucket].join('\n').toLocaleLowerCase()
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
}
