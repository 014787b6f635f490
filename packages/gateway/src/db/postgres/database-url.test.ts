// One address for each host of the database, and clear words where an address cannot be used.
import { describe, expect, it } from 'vitest';
import { hostUrls } from './database-url.ts';

const urls = (url: string) => {
  const read = hostUrls(url);
  return read.ok ? read.urls : read.trouble;
};

describe('hostUrls', () => {
  it.each([
    ['postgres://u:p@h:5432/d', ['postgres://u:p@h:5432/d']],
    ['postgresql://u@%2Frun%2Fpg/d', ['postgresql://u@%2Frun%2Fpg/d']],
    ['postgres://h1,h2', ['postgres://h1', 'postgres://h2']],
    [
      'postgres://u:p,q%40r@h1:1,[::1]:2,h3/d?sslmode=verify-full&target_session_attrs=read-write&x=1',
      [
        'postgres://u:p,q%40r@h1:1/d?sslmode=verify-full&x=1',
        'postgres://u:p,q%40r@[::1]:2/d?sslmode=verify-full&x=1',
        'postgres://u:p,q%40r@h3/d?sslmode=verify-full&x=1',
      ],
    ],
    ['postgres://h1,h2/d?target_session_attrs=primary', ['postgres://h1/d', 'postgres://h2/d']],
    ['postgres://h/d?target_session_attrs=read-write&x=1', ['postgres://h/d?x=1']],
  ])('reads %s', (url, expected) => {
    expect(urls(url)).toEqual(expected);
  });

  it.each([
    ['mysql://h/d', /begins with postgres/],
    ['postgres://', /begins with postgres/],
    ['postgres://u:p@h1,/d', /host:port,host:port/],
    ['postgres://u:p@h1,h2:port/d', /host:port,host:port/],
    ['postgres://u:p@::1,h2/d', /host:port,host:port/],
    ['postgres://u:p@h1:99999/d', /port of 1 to 65535/],
    ['postgres://u:p@h1:1,h2:0/d', /port of 1 to 65535/],
    ['postgres://u:p@h1:1,h 2:1/d', /host:port,host:port/],
    ['postgres://u:p@h1:1,[::x]:1/d', /host:port,host:port/],
    ['postgres://u:p@h1:1,h2%ZZ:1/d', /cannot be read/],
    ['postgresql:///d?host=/run/pg', /host stands before/],
    ['postgres://u:p@h1/d?x=1&port=1', /host stands before/],
    ['postgres://u:p@h1/d?hostaddr=127.0.0.1', /host stands before/],
    [`postgres://u:p@${'h,'.repeat(8)}h/d`, /more than 8/],
    ['postgres://u:p@h1,h2/d?target_session_attrs=standby', /target_session_attrs/],
    ['postgres://u:p@h1/d?target_session_attrs=any', /target_session_attrs/],
  ])('refuses %s', (url, trouble) => {
    expect(urls(url)).toMatch(trouble);
    expect(urls(url)).not.toContain('u:p');
  });
});
