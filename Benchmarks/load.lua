-- The load of script/bench: webhook calls of 1 KiB, no two alike. The links are refused by the egress rules, so that no
-- name server takes part.
local serial, headers, prefix = 0, {}, ""
local padding = string.rep("The quick brown fox jumps over the lazy dog. ", 20)

function init(arguments)
    headers["Authorization"] = "Bearer " .. arguments[1]
    headers["Content-Type"] = "application/json"
    prefix = arguments[2]
end

function request()
    serial = serial + 1
    local link = string.format("http://10.255.255.1/%s/%09d", prefix, serial)
    return wrk.format("POST", nil, headers, string.format('{"url":"%s","description":"%s"}', link, padding))
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests":%d,"seconds":%.3f,"p50_ms":%.2f,"p99_ms":%.2f,"refused":%d,"broken":%d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
