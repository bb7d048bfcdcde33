import { expect, test } from 'vitest';
import { parseS3Location } from '../../src/artifacts/s3-location.js';

test.each([
  ['s3://runs', { bucket: 'runs', prefix: '' }],
  ['s3://runs/', { bucket: 'runs', prefix: '' }],
  ['s3://my.runs-2/team/a/', { bucket: 'my.runs-2', prefix: 'team/a' }],
])('%s is a place', (text, place) => {
  expect(parseS3Location(text)).toEqual(place);
});

test.each(['runs', 's3:runs', 's3://', 's3://Runs', 's3://a', 's3://runs/../other', 's3://runs/a//b', '/var/store'])(
  '%s is refused before anything starts',
  (text) => {
    expect(() => parseS3Location(text)).toThrow(expect.objectContaining({ code: 'TG-I14' }));
  },
);
