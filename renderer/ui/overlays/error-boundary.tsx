import { Component, type ReactNode } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { Button } from '../button.tsx'
import styles from './error-boundary.module.css'

interface ErrorBoundaryProps {
  readonly children: ReactNode
}

/** In place of a window that can't be drawn: without it nothing would be there. Transfers go on in main. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  return (
    <main role="alert" className={styles['broken']}>
      <p>{t('app.broken')}</p>
      <Button look="solid" onPress={() => window.location.reload()}>
        {t('app.reload')}
      </Button>
    </main>
  )
}
