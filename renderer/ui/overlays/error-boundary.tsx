import { Component, type ReactNode } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { Button } from '../button.tsx'
import styles from './error-boundary.module.css'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** What is drawn of: once it is another, it is tried again. */
  readonly of?: unknown
  /** In place of what can't be drawn; left out: of the whole window. */
  readonly instead?: ReactNode
}

/**
 * In place of what can't be drawn: without it nothing of the window would be there. Around a part of it, the rest stays.
 * Transfers go on in main.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (this.state.isBroken && before.of !== this.props.of) this.setState({ isBroken: false })
  }

  override render(): ReactNode {
    const { children, instead = <Broken /> } = this.props
    return this.state.isBroken ? instead : children
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
