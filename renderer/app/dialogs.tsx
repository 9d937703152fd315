import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { queueStore } from '../state/queue/queue-store.ts'
import { useUi } from '../state/selectors.ts'
import { closeQuestion, hasSheet, uiStore, type Question } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons } from '../ui/overlays/sheet.tsx'
import { useFocusBack } from '../ui/hooks/use-focus-back.ts'
import { OpenSheet } from './late.ts'

/** The sheet that is open, if one is, and above it what is asked. */
export function Dialogs() {
  const question = useUi((state) => state.question)
  const dialog = useUi((state) => state.dialog)
  useFocusBack(!useUi(hasSheet))
  return (
    <>
      <Suspense>{dialog.kind !== 'none' && <OpenSheet key={numberOf(dialog)} />}</Suspense>
      {question !== null && <ConfirmSheet key={numberOf(question)} question={question} />}
    </>
  )
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** What was chosen or typed in one sheet is never that of the next, though both may be of a kind. */
function numberOf(opened: object): number {
  const number = numbers.get(opened) ?? (lastNumber += 1)
  numbers.set(opened, number)
  return number
}

/** What is at stake changes while transfers go on: a question about nothing goes away. */
function useAsOfNow(question: Question): Question {
  useSyncExternalStore(queueStore.subscribe, queueStore.getState)
  const now = question.again === undefined ? question : question.again()
  useEffect(() => {
    if (now === null && uiStore.getState().question === question) closeQuestion()
  }, [now, question])
  return now ?? question
}

/** Asks before something is lost. The safe answer has focus. */
function ConfirmSheet({ question: asked }: { readonly question: Question }) {
  const question = useAsOfNow(asked)
  return (
    <Sheet isAlert title={question.title} onClose={closeQuestion}>
      <p>{question.body}</p>
      <SheetButtons>
        <Button
          look="danger"
          onPress={() => {
            closeQuestion()
            question.onConfirm()
          }}
        >
          {question.confirmLabel}
        </Button>
        {/* It stays where it was asked with it, so that nothing moves under the pointer. */}
        {asked.other !== undefined && (
          <Button
            isDisabled={question.other === undefined}
            onPress={() => {
              closeQuestion()
              question.other?.onPress()
            }}
          >
            {asked.other.label}
          </Button>
        )}
        <Button takesFocus look="solid" onPress={closeQuestion}>
          {question.safeLabel}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}
