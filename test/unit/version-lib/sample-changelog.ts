/** A changelog with two versions and an unreleased entry, in the form of ours. */
export const SAMPLE = `# Changelog

About the format.

## Unreleased

What comes next.

### Added

- A new thing.

## 0.2.0 - 2026-02-03

### Changed

- Another thing.

### Fixed

- A bug.

## 0.1.0 - 2026-01-02

The first one.

### Added

- A thing.

## Versions

About the table.

| version | date       | commit     |
| ------- | ---------- | ---------- |
| 0.2.0   | 2026-02-03 | \`22222222\` |
| 0.1.0   | 2026-01-02 | \`11111111\` |
`;
