// Package sdktest tests package otel with the SDK of OpenTelemetry. It is a module of its own, so that
// nothing else depends on the SDK.
package sdktest
