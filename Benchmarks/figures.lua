-- What a load of script/bench prints at its end: one line of JSON.
function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests":%d,"seconds":%.3f,"p50_ms":%.2f,"p99_ms":%.2f,"refused":%d,"broken":%d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
