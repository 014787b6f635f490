// For operators: the configuration as it is in force.
import { useAnswer } from '../../../api/queries.ts';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Card, Fact, Facts, Page, Stack } from '../../../parts/page.tsx';
import { words } from '../../../words/words.ts';

export function Configuration() {
  const { configuration: text } = words;
  const query = useAnswer('configuration.read', {});
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={query} skeleton={<Bone width="100%" height={400} />}>
        {({ sections, warnings }) => (
          <Stack>
            {warnings.length > 0 && (
              <Notice tone="part">
                <strong>{text.warnings}</strong>
                <ul>
                  {warnings.map((warning) => (
                    <li key={warning}>
                      <bdi>{warning}</bdi>
                    </li>
                  ))}
                </ul>
              </Notice>
            )}
            {sections.map(({ section, entries }) => (
              <Card key={section} title={section}>
                <Facts>
                  {entries.map(({ entry, value }) => (
                    <Fact key={entry} name={entry}>
                      <bdi>{value === '' ? words.none : value}</bdi>
                    </Fact>
                  ))}
                </Facts>
              </Card>
            ))}
          </Stack>
        )}
      </Answer>
    </Page>
  );
}
