import { Label, Radio, RadioGroup } from 'react-aria-components'
import { t } from '../../shared/language/translate.ts'
import { PLACE_COLORS, type PlaceColor } from '../../shared/place/place.ts'
import styles from './color-choice.module.css'

/** A choice of the color that marks a place. */
export function ColorChoice({
  value,
  onChange,
}: {
  readonly value: PlaceColor
  readonly onChange: (color: PlaceColor) => void
}) {
  return (
    <RadioGroup
      value={value}
      orientation="horizontal"
      className={styles['field'] ?? ''}
      onChange={(next) => {
        onChange(PLACE_COLORS.find((color) => color === next) ?? 'none')
      }}
    >
      <Label className={styles['label'] ?? ''}>{t('places.color')}</Label>
      {PLACE_COLORS.map((color) => (
        <Radio
          key={color}
          value={color}
          aria-label={t(`places.color.${color}`)}
          data-place-color={color}
          className={styles['swatch'] ?? ''}
        />
      ))}
    </RadioGroup>
  )
}
