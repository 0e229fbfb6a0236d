// Package linttest checks package metrics with the parser and the linter of Prometheus. It is a module of
// its own, so that nothing else depends on them.
package linttest
