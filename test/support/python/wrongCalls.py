"""What a user of the client may not write: the checker refuses each line that says so."""

from landuse_api import AsyncLandUse, LandUse

api = LandUse("k")
api.count(sates=["CO"])  # error: call-arg
api.count(states=8)  # error: arg-type
api.projects.get("1")  # error: arg-type
api.search(representation="whole")  # error: call-overload
api.lists.create(description="without a name")  # error: call-arg
api.exports.create(projectIds=["1"])  # error: list-item
print([one["acreage"] for one in api.search(representation="compact")])  # error: typeddict-item
print(api.count()["credits"])  # error: typeddict-item
print(AsyncLandUse("k").count()["matchCount"])  # error: index
