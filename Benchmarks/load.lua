-- The load of script/bench: webhook calls of 1 KiB, no two alike. The links are refused by the egress rules, so that no
-- name server takes part.
dofile(debug.getinfo(1).source:match("^@(.*/)") .. "figures.lua")

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
