import { useEffect, useState } from 'preact/hooks';
import type { InstancePage, PageData } from '../report/page-data.js';
import type { InstanceRow } from '../report/page-data-rows.js';
import { BenchmarkInWork } from './benchmark-in-work.js';
import { BenchmarkView } from './benchmark-view.js';
import { InstanceView } from './instance-view.js';
import { LiveBanner } from './live-banner.js';
import { MethodsHere } from './methods-here.js';
import { hashOf, type Route, useRoute } from './route.js';
import { RunList } from './run-list.js';
import type { Source } from './source.js';
import { when } from './text.js';
import { type Followed, useRun } from './use-run.js';

/** The page: a list of runs, a run, or one of its instances, as the address says. */
export function App({ source }: { source: Source }) {
  const { route, setParams } = useRoute();
  if (source.kind === 'viewer' && route.run === null) return <RunList source={source} />;
  return <Run key={route.run} source={source} route={route} setParams={setParams} />;
}

type SetParams = ReturnType<typeof useRoute>['setParams'];

function Run({ source, route, setParams }: { source: Source; route: Route; setParams: SetParams }) {
  const followed = useRun({ source, run: route.run });
  const { data } = followed;
  useEffect(() => {
    if (data !== null) document.title = `${data.run.name} · TestGRAD`;
  }, [data]);
  if (data === null) {
    return (
      <main>
        <p role="status" class="wait">
          {followed.error === '' ? 'Loading …' : followed.error}
        </p>
      </main>
    );
  }
  return (
    <>
      <Head data={data} source={source} route={route} followed={followed} />
      <main id="main">
        <Body data={data} source={source} route={route} setParams={setParams} />
      </main>
      <footer>
        <p>
          TestGRAD run <code>{data.run.id}</code>, put together {when(data.madeAt)}. Text of issues, models and tests is
          shown as text.
        </p>
      </footer>
    </>
  );
}

function Head({ data, source, route, followed }: { data: PageData; source: Source; route: Route; followed: Followed }) {
  const { run } = data;
  return (
    <header class="top">
      <button type="button" class="skip" onClick={toMain}>
        to the content
      </button>
      <nav aria-label="Place">
        {source.kind === 'viewer' ? <a href="#/">runs</a> : <span>TestGRAD</span>}
        {data.benchmark !== null && route.instance !== null ? (
          <>
            {' / '}
            <a href={hashOf({ run: route.run })}>{run.name}</a>
          </>
        ) : null}
      </nav>
      <LiveBanner data={data} source={source} followed={followed} />
    </header>
  );
}

/** Without a change of the address, which names a place. */
function toMain(): void {
  const main = document.getElementById('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}

function Body({
  data,
  source,
  route,
  setParams,
}: {
  data: PageData;
  source: Source;
  route: Route;
  setParams: SetParams;
}) {
  const [first] = data.instances;
  if (data.benchmark !== null && route.instance === null) {
    return <BenchmarkView data={data} benchmark={data.benchmark} route={route} setParams={setParams} />;
  }
  const here = route.instance === null ? first : data.instances.find(({ id }) => id === route.instance);
  if (here !== undefined)
    return <InstanceView key={here.id} data={data} instance={here} route={route} setParams={setParams} />;
  if (data.benchmarkProgress !== null) return <BenchmarkInWork data={data} progress={data.benchmarkProgress} />;
  if (route.instance === null) return <p class="wait">Nothing is known of this run yet.</p>;
  const row = data.benchmark?.instances.find(({ id }) => id === route.instance);
  if (row !== undefined && !row.detailed) return <BareInstance data={data} row={row} />;
  return (
    <LoadedInstance
      key={route.instance}
      data={data}
      source={source}
      route={route}
      setParams={setParams}
      id={route.instance}
    />
  );
}

/** An instance that no selection was made on, or whose selection left nothing. */
function BareInstance({ data, row }: { data: PageData; row: InstanceRow }) {
  return (
    <>
      <h1>{row.id}</h1>
      <p class="note">
        TestGRAD left no run to open here: the candidates answered it by themselves, or it ended with an error.
      </p>
      <MethodsHere data={data} id={row.id} />
    </>
  );
}

/** An instance that did not come with its run. */
function LoadedInstance({
  data,
  source,
  route,
  setParams,
  id,
}: {
  data: PageData;
  source: Source;
  route: Route;
  setParams: SetParams;
  id: string;
}) {
  const [loaded, setLoaded] = useState<InstancePage | string>('Loading …');
  useEffect(() => {
    source.instance({ run: data.run.id, instance: id }).then(setLoaded, (error: Error) => setLoaded(error.message));
  }, [id]);
  if (typeof loaded === 'string') {
    return (
      <p role="status" class="wait">
        {loaded}
      </p>
    );
  }
  return <InstanceView data={data} instance={loaded} route={route} setParams={setParams} />;
}
