import { t } from '../../shared/language/translate.ts'
import { SHORTCUT_GROUPS } from '../commands/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons } from '../ui/overlays/sheet.tsx'
import { ownKeys, shortcutText } from '../ui/shortcut.ts'
import styles from './shortcuts-sheet.module.css'

/** Every keyboard shortcut of the window, by subject. */
export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title={t('app.shortcuts.title')} width="broad" onClose={onClose}>
      <div className={styles['groups']}>
        {SHORTCUT_GROUPS.map(({ title, shortcuts }) => (
          <section key={title} className={styles['group']} aria-label={t(title)}>
            <h3 className={styles['title']}>{t(title)}</h3>
            <dl className={styles['list']}>
              {shortcuts.map(({ label, keys }) =>
                ownKeys(keys).length === 0 ? null : (
                  <div key={label} className={styles['shortcut']}>
                    <dt>{t(label)}</dt>
                    <dd className={styles['keys']}>
                      {ownKeys(keys).map((each) => (
                        <kbd key={each} className={styles['key']}>
                          {shortcutText(each)}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ),
              )}
            </dl>
          </section>
        ))}
      </div>
      <SheetButtons>
        <Button takesFocus look="solid" onPress={onClose}>
          {t('common.done')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}
