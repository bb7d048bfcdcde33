import type { PageData } from '../report/page-data.js';
import { CostCells, EndCells } from './instance-table.js';
import { Head, Scroll, Section } from './parts.js';

/** How every method of a benchmark ended on one of its instances; nothing for another run. */
export function MethodsHere({ data, id }: { data: PageData; id: string }) {
  const { benchmark } = data;
  const row = benchmark?.instances.find((each) => each.id === id);
  if (benchmark === null || row === undefined) return null;
  return (
    <Section
      id="methods-here"
      title="Methods on this instance"
      note={`With all ${benchmark.agents.length} agents.${row.detailed ? ' What follows is the run of TestGRAD.' : ''}`}
    >
      <Scroll label="Table of methods on this instance">
        <table class="list instances here">
          <Head
            names={[
              'Method',
              'Result',
              'Decided by',
              'Selected',
              'Steps',
              'Tokens',
              'Minutes',
              'Deciding test, or error',
            ]}
          />
          <tbody>
            {row.ends.map((end, index) => (
              <tr key={benchmark.methods[index]}>
                <th scope="row">{benchmark.methods[index]}</th>
                {end === null ? (
                  <td colSpan={7}>no record</td>
                ) : (
                  <>
                    <EndCells end={end} agents={benchmark.agents} />
                    <CostCells end={end} />
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Section>
  );
}
