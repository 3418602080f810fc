import { Fragment } from 'react';

/** A code such as BOT_NOT_ACCEPTED, with line breaks allowed after underscores. */
export function CodeName({ code }: { readonly code: string }) {
  const words = code.split('_');
  return words.map((word, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          _<wbr />
        </>
      )}
      {word}
    </Fragment>
  ));
}
